import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, type StartedSystem, startAsUsers } from '../e2e/harness/started-system.js'
import type { Env } from '../e2e/harness/system-process.js'
import type { Bench } from './bench.js'
import type { GoalFigure } from './goal.js'
import { memoryOfTree, type TreeMemory } from './idle-processes.js'
import { loadTool, runLoad } from './load.js'
import { usualConnections } from './rounds.js'
import { smallBody, smallText } from './small-requests.js'

const totalMbMax = 380

const noLimits: Env = { RATE_LIMIT_STRICT: 'off', RATE_LIMIT_STANDARD: 'off', RATE_LIMIT_FAIR_USE: 'off' }
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

/** The most that it holds while snippets and shares of 1 KB are read as fast as it goes, looked at every second. */
async function measureLoaded(system: StartedSystem, seconds: number): Promise<GoalFigure> {
  const headers = { Authorization: `Bearer ${await system.token('pro')}`, 'Content-Type': 'application/json' }
  const post = { method: 'POST', headers, body: JSON.stringify(smallBody(0)) }
  const snippet = await call(`${system.url}/api/snippets`, 201, post)
  const share = await call(`${system.url}/api/shares`, 201, post)
  const requests = [`/api/snippets/${snippet.id}`, `/api/shares/${share.id}`].map((path) => ({
    ...{ method: 'GET' as const, path, headers: { Authorization: headers.Authorization } },
  }))
  const expected = { status: 200, bytes: null, holds: smallText }
  const order = { baseUrl: system.url, connections: usualConnections, seconds, requests, expected }
  let ended = false
  const load = runLoad(loadTool(), order).finally(() => {
    ended = true
  })
  load.catch(() => {})
  let measured = 0
  while (!ended) {
    const { totalMb } = await memoryOfTree(system.pid)
    measured = Math.max(measured, totalMb)
    await sleep(1_000)
  }
  const { perSecond } = await load
  return {
    ...{ name: 'memory of all processes under load', unit: 'MB', floor: null, measured, ratio: null },
    ...{ goal: 'none', holds: true, details: { 'requests/s': perSecond } },
  }
}

/**
 * What the whole system of `npm start` holds in memory while no one uses it: untouched for a while, and again a while
 * after someone has tried what the README shows, of which the larger figure counts; then under a load.
 * @param seconds how long nothing happens before each look.
 */
async function measureIdleMemory(seconds: number, loadSeconds: number): Promise<readonly GoalFigure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-idle-'))
  try {
    // The load comes from one user and one address, which on a fast machine exceed the highest limits.
    const system = await startAsUsers(dataDir, { env: noLimits })
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
        await measureLoaded(system, loadSeconds),
      ]
    } finally {
      await system.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** How long no one uses the system before its memory is looked at, and how long a load is. */
const idleSeconds = { whole: 30, quick: 10 }
const loadSeconds = { whole: 15, quick: 5 }

/** The goal of idle memory, and memory under load; the system is started as a user would, so none of the context is used. */
export const idle: Bench = {
  name: 'idle',
  measure: ({ quick }) => {
    const length = quick ? 'quick' : 'whole'
    return measureIdleMemory(idleSeconds[length], loadSeconds[length])
  },
}
