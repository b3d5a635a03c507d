import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createPortFinder } from '#libs/runtime/free-port.js'
import type { Bench } from './bench.js'
import type { GoalFigure } from './goal.js'
import { memoryOfTree, type TreeMemory } from './idle-processes.js'

const totalMbMax = 450
const startScript = 'deploy/local/start.mjs'
const startTimeoutMs = 180_000

/** A system started by `npm start` in its own folder. */
interface StartedSystem {
  readonly pid: number
  readonly url: string
  token(user: string): Promise<string>
  stop(): Promise<void>
}

async function threePorts(): Promise<readonly string[]> {
  const finder = createPortFinder()
  const ports = await Promise.all([finder.free(), finder.free(), finder.free()])
  return ports.map(String)
}

async function start(dataDir: string): Promise<StartedSystem> {
  const [PORT, DEV_ISSUER_PORT, SANDBOX_PORT] = await threePorts()
  const env = { ...process.env, DATA_DIR: dataDir, PORT, DEV_ISSUER_PORT, SANDBOX_PORT }
  const child = spawn(process.execPath, [startScript], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += String(chunk)
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the system could not start: ${said}`)
  })
  ended.catch(() => {})
  // It prints the box with the address once everything is ready.
  await Promise.race([once(child.stdout, 'data', { signal: AbortSignal.timeout(startTimeoutMs) }), ended])
  child.stdout.resume()
  return {
    pid: child.pid ?? 0,
    url: `http://localhost:${PORT}`,
    async token(user) {
      const { stdout } = await promisify(execFile)(process.execPath, [startScript, 'token', user], { env })
      return stdout.trim()
    },
    async stop() {
      child.kill('SIGTERM')
      await ended.catch(() => {})
    },
  }
}

async function call(url: string, status: number, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, init)
  const text = await response.text()
  if (response.status !== status)
    throw new Error(`${init.method ?? 'GET'} ${url}: ${response.status} ${text}`)
  return response.headers.get('content-type')?.startsWith('application/json') === true
    ? JSON.parse(text)
    : { text }
}

/** The commands in the README, and the pages a new user opens. */
async function lookAround({ url, token }: StartedSystem): Promise<void> {
  const json = { 'Content-Type': 'application/json' }
  const data = { csv: 'name,role\nAda,engineer\n' }
  const body = JSON.stringify({ tool: 'json-to-csv', title: 'Team', data })
  const free = { Authorization: `Bearer ${await token('free')}` }
  const post = { method: 'POST', headers: { ...free, ...json }, body }
  const snippet = await call(`${url}/api/snippets`, 201, post)
  await call(`${url}/api/snippets/${snippet.id}/raw?pointer=/csv`, 200, { headers: free })
  const share = await call(`${url}/api/shares`, 201, post)
  await call(`${url}/api/shares/${share.id}/raw?pointer=/csv`, 200)
  const pro = { Authorization: `Bearer ${await token('pro')}`, ...json }
  const asked = JSON.stringify({ name: 'CI', scopes: ['read', 'write'] })
  const { key } = await call(`${url}/api/keys`, 201, { method: 'POST', headers: pro, body: asked })
  const byKey = { 'X-API-Key': String(key), ...json }
  const nightly = await call(`${url}/api/snippets`, 201, { method: 'POST', headers: byKey, body })
  await call(`${url}/api/snippets/${nightly.id}/raw?pointer=/csv`, 200, { headers: byKey })
  for (const path of ['/dashboard', `/s/${share.id}`, '/api/docs', '/api/openapi.json'])
    await call(`${url}${path}`, 200)
}

function print(when: string, { processes, totalMb, pssMb, rssMb }: TreeMemory): void {
  console.log(`\n${when}:`)
  for (const { name, count, ...one } of processes) {
    const label = count === 1 ? name : `${name} × ${count}`
    console.log(
      `  ${label.padEnd(20)} ${one.privateMb.toFixed(0).padStart(4)} MB private, Pss ${one.pssMb.toFixed(0)}, Rss ${one.rssMb.toFixed(0)}`,
    )
  }
  console.log(
    `  all of it, each shared page once: ${totalMb.toFixed(0)} MB (sum of Pss ${pssMb.toFixed(0)}, sum of Rss ${rssMb.toFixed(0)})`,
  )
}

/**
 * The memory of the whole system after `npm start` while idle: untouched for a minute, and again a while
 * after the
 * README's commands. The larger figure counts.
 * @param seconds how long the system idles before each measurement.
 */
async function measureIdleMemory(seconds: number): Promise<readonly GoalFigure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-idle-'))
  try {
    const system = await start(dataDir)
    try {
      await sleep(seconds * 1_000)
      const untouched = await memoryOfTree(system.pid)
      print('untouched', untouched)
      await lookAround(system)
      await sleep(seconds * 1_000)
      const used = await memoryOfTree(system.pid)
      print('after a look around', used)
      const measured = Math.max(untouched.totalMb, used.totalMb)
      return [
        {
          name: 'idle memory of all processes',
          unit: 'MB',
          floor: null,
          measured,
          ratio: null,
          goal: `≤ ${totalMbMax} MB`,
          holds: measured <= totalMbMax,
          details: {
            'untouched MB': untouched.totalMb,
            'used MB': used.totalMb,
            'sum of Pss MB': used.pssMb,
            'sum of Rss MB': used.rssMb,
          },
        },
      ]
    } finally {
      await system.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** How long the system idles before its memory is measured. */
const idleSeconds = { whole: 60, quick: 10 }

/** The idle memory goal. The system is started as a user would, so the context is unused. */
export const idle: Bench = {
  name: 'idle',
  measure: ({ quick }) => measureIdleMemory(quick ? idleSeconds.quick : idleSeconds.whole),
}
