import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { describeOnLinux } from '#libs/testing/describe-on-linux.js'
import { createTestDatabase } from '#libs/testing/test-database.js'
import { testPort } from '#libs/testing/test-port.js'
import { asSuperuser, loginsThatServe } from './harness/embedded-database.js'

/** One `npm start`, and its output. */
interface Launch {
  readonly child: ChildProcess
  output(): string
  readonly exit: Promise<number | null>
}

/** With a new database, and all processes at once. */
const startup = { timeout: 120_000, interval: 20 }

let dataDir: string
let port: number
let issuerPort: number
let sandboxPort: number

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-start-'))
  port = await testPort()
  issuerPort = await testPort()
  sandboxPort = await testPort()
})
/** What a failed test left running, which would take the ports of the next one. */
const launches = new Set<Launch>()
afterEach(async () => {
  for (const started of launches) {
    if (started.child.exitCode === null && started.child.signalCode === null) signalGroup(started, 'SIGTERM')
    await started.exit
  }
  launches.clear()
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

function launch(env: Record<string, string> = {}): Launch {
  const chunks: string[] = []
  const child = spawn('npm', ['start'], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      DATA_DIR: dataDir,
      PORT: String(port),
      DEV_ISSUER_PORT: String(issuerPort),
      SANDBOX_PORT: String(sandboxPort),
      ...env,
    },
    detached: true,
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
  const started = {
    child,
    output: () => chunks.join(''),
    exit: new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code))),
  }
  launches.add(started)
  return started
}

async function printed(started: Launch): Promise<string> {
  const ready = expect.poll(() => started.output(), startup).toContain('Ctrl-C stops everything')
  const ended = started.exit.then((code) => {
    throw new Error(`npm start ended with ${code}: ${started.output()}`)
  })
  await Promise.race([ready, ended])
  return started.output()
}

/** A program on this port; if another one has it already, it is just as taken. */
function squat(port: number): Promise<Server> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(server))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

/** The processes on this machine whose command line or environment contains the data folder. */
async function leftRunning(): Promise<string[]> {
  const read = (pid: string, what: string) => readFile(`/proc/${pid}/${what}`, 'utf8').catch(() => '')
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) =>
      `${pid} ${await read(pid, 'cmdline')} ${await read(pid, 'environ')}`.replaceAll('\0', ' '),
    ),
  )
  return found.filter((line) => line.includes(dataDir))
}

/** The services that the last start has migrated, by their logs, which are then removed. */
async function migratedServices(): Promise<readonly string[]> {
  const logs = (await readdir(join(dataDir, 'logs'))).filter((name) => name.startsWith('migrate-'))
  for (const name of logs) await rm(join(dataDir, 'logs', name))
  return logs.map((name) => name.replace(/^migrate-|\.log$/g, '')).sort()
}

const signalGroup = ({ child }: Launch, signal: NodeJS.Signals): void => {
  process.kill(-(child.pid ?? 0), signal)
}

/** The README's commands after the one that creates a token. */
function readmeLines(): readonly string[] {
  const [, block = ''] = /^TOKEN=.*\n([\s\S]*?)^```/m.exec(readFileSync('README.md', 'utf8')) ?? []
  return block.replaceAll('localhost:8080', `localhost:${port}`).split('\n')
}

describeOnLinux('npm start', () => {
  it('prints commands that save, list, fetch and share when pasted in order', async () => {
    const started = launch()
    // As soon as it is ready, the user `pro` has Pro.
    await expect
      .poll(
        () =>
          fetch(`http://127.0.0.1:${port}/readyz`)
            .then((response) => response.status)
            .catch(() => 0),
        startup,
      )
      .toBe(200)
    const token = await promisify(execFile)('npm', ['run', '--silent', 'token', '--', 'pro'], {
      env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), DEV_ISSUER_PORT: String(issuerPort) },
    })
    const asPro = { Authorization: `Bearer ${token.stdout.trim()}` }
    const subscription = await fetch(`http://127.0.0.1:${port}/api/subscription`, { headers: asPro })
    expect(await subscription.json()).toMatchObject({ plan: 'pro' })
    const output = await printed(started)
    const lines = output
      .split('\n')
      .filter((line) => /^(TOKEN|ID|SHARE|PAY|KEY|SNIPKEEP_SERVER)=|^curl /.test(line))
    expect(lines).toHaveLength(11)
    const { stdout } = await promisify(execFile)('bash', ['-ec', lines.join('\n')])
    const quickStart = await promisify(execFile)('bash', ['-ec', [lines[0], ...readmeLines()].join('\n')])
    const [shareUrl = '', ...rest] = quickStart.stdout.split('\n')
    expect(shareUrl).toMatch(new RegExp(`^http://localhost:${port}/s/\\w+$`))
    expect(await (await fetch(shareUrl)).text()).toContain('What it promises')
    expect(rest.join('\n')).toMatch(/^\{"id":"[^\n]*"name":"manifest"[^\n]*\}\{\n {2}"name": "snipkeep"/)
    expect(quickStart.stdout.endsWith(readFileSync('package.json', 'utf8'))).toBe(true)
    expect(stdout).toContain('{"snippets":[{"id":"')
    expect(stdout).toContain('name,role\nAda,engineer\nGrace,admiral\n')
    expect(stdout).toMatch(new RegExp(`\nhttp://localhost:${port}/s/\\w+\n$`))
    expect(stdout).toContain(`"share_url":"http://localhost:${port}/s/`)
    const [, link = ''] = /^Open (\S+) and press Pay/m.exec(stdout) ?? []
    expect(await (await fetch(link)).text()).toContain('>Pay</button>')
    const paid = await fetch(`${link}/pay`, { method: 'POST', redirect: 'manual' })
    expect(paid.headers.get('location')).toBe(`http://localhost:${port}/?checkout=success`)
    const profile = `${lines[0]}; curl -s http://localhost:${port}/api/auth/profile -H "Authorization: Bearer $TOKEN"`
    const plan = async () => JSON.parse((await promisify(execFile)('bash', ['-ec', profile])).stdout).plan
    await expect.poll(plan, { interval: 250 }).toBe('pro')
    started.child.kill('SIGTERM')
    await started.exit
    await expect.poll(leftRunning).toEqual([])
  })

  it('finds its data again after Ctrl-C, which reaches the whole process group, and stops cleanly', async () => {
    const started = launch()
    const line = (await printed(started)).split('\n').find((candidate) => candidate.startsWith('TOKEN='))
    const list = `${line}; curl -s http://127.0.0.1:${port}/api/snippets -H "Authorization: Bearer $TOKEN"`
    const { stdout } = await promisify(execFile)('bash', ['-ec', list])
    expect(JSON.parse(stdout).snippets).toHaveLength(2)
    // Anyone who could open a socket could call a service in any user's name.
    const sockets = join(dataDir, 'run')
    expect((await stat(sockets)).mode & 0o777).toBe(0o700)
    expect((await readdir(sockets)).sort()).toEqual([
      'activity.sock',
      'billing.sock',
      'content.sock',
      'identity.sock',
      'tools.sock',
    ])
    // No service connects as the superuser, or could become it by RESET ROLE.
    const logins = await asSuperuser(dataDir, loginsThatServe)
    expect(logins).toContainEqual({ login: 'snipkeep_content_serving', superuser: false, owned: 0 })
    for (const one of logins)
      expect(one).toEqual({ login: expect.stringMatching(/_serving$/), superuser: false, owned: 0 })
    signalGroup(started, 'SIGINT')
    await started.exit
    await expect.poll(leftRunning).toEqual([])
    expect(await readdir(dataDir)).not.toContain('run')
  })

  it('migrates only where something is missing, for which it asks the database', async () => {
    const all = ['activity', 'billing', 'content', 'identity']
    const startOnce = async (whileRunning: () => Promise<unknown> = async () => undefined) => {
      const started = launch()
      await printed(started)
      await whileRunning()
      started.child.kill('SIGTERM')
      await started.exit
      return migratedServices()
    }
    await migratedServices()
    const table = 'ON content.migrations'
    const revoke = () => asSuperuser(dataDir, `REVOKE SELECT ${table} FROM snipkeep_content_serving`)
    expect(await startOnce(revoke)).toEqual([])
    const mayRead = `SELECT has_table_privilege('snipkeep_content_serving', 'content.migrations', 'SELECT') AS granted`
    let granted: readonly unknown[] = []
    expect(
      await startOnce(async () => {
        granted = await asSuperuser(dataDir, mayRead)
      }),
    ).toEqual(all)
    expect(granted).toEqual([{ granted: true }])
    expect(await startOnce()).toEqual([])
  })

  it('starts again after kill -9 of everything', async () => {
    const started = launch()
    await printed(started)
    signalGroup(started, 'SIGKILL')
    const postmaster = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
    await started.exit
    if (postmaster !== '') process.kill(Number(postmaster.split('\n')[0]), 'SIGKILL')
    const again = launch()
    await printed(again)
    again.child.kill('SIGTERM')
    await again.exit
    await expect.poll(leftRunning).toEqual([])
  })

  it('explains a taken port, and leaves nothing running', async () => {
    const squatter = await squat(port)
    try {
      const started = launch()
      expect(await started.exit).not.toBe(0)
      expect(started.output()).toMatch(new RegExp(`[Pp]ort ${port}\\b`))
      expect(started.output()).toContain('PORT=')
    } finally {
      await new Promise((resolve) => squatter.close(resolve))
    }
    await expect.poll(leftRunning).toEqual([])
  })

  it('places what nobody named elsewhere when the ports beside the gateway are taken, and says where', async () => {
    const first = launch({ DEV_ISSUER_PORT: '', SANDBOX_PORT: '' })
    const addresses = ({ output }: Launch) =>
      ['Sign-in', 'Payments'].map(
        (name) => new RegExp(`${name} +http://localhost:(\\d+)`).exec(output())?.[1],
      )
    await printed(first)
    const [issuer] = addresses(first)
    // Its users belong to the issuer's address, so it stays where it was.
    expect(issuer).toBe(String(issuerPort))
    first.child.kill('SIGTERM')
    await first.exit
    const wanted = [...new Set([issuerPort, port + 1, port + 2])]
    const squatters = await Promise.all(wanted.map(squat))
    try {
      const started = launch({ DEV_ISSUER_PORT: '', SANDBOX_PORT: '' })
      await printed(started)
      expect(started.output()).toContain(`moves from port ${issuerPort} to`)
      for (const one of addresses(started)) expect(['undefined', ...wanted].map(String)).not.toContain(one)
      const line = started
        .output()
        .split('\n')
        .find((candidate) => candidate.startsWith('TOKEN='))
      const profile = `${line}; curl -sf http://127.0.0.1:${port}/api/auth/profile -H "Authorization: Bearer $TOKEN"`
      expect(JSON.parse((await promisify(execFile)('bash', ['-ec', profile])).stdout).plan).toBe('free')
      started.child.kill('SIGTERM')
      await started.exit
    } finally {
      await Promise.all(squatters.map((squatter) => new Promise((resolve) => squatter.close(resolve))))
    }
  })

  it('uses the database of DATABASE_URL and starts no Postgres', async () => {
    const database = await createTestDatabase('start')
    const started = launch({ DATABASE_URL: database.url })
    await printed(started)
    expect((await leftRunning()).filter((line) => /postgres -D|bin\/postgres/.test(line))).toEqual([])
    started.child.kill('SIGTERM')
    await started.exit
    await database.drop()
  })

  it('rejects development parts in production, and names them', async () => {
    const started = launch({ NODE_ENV: 'production' })
    expect(await started.exit).not.toBe(0)
    expect(started.output()).toMatch(/OIDC_ISSUERS/)
    expect(started.output()).toMatch(/DATABASE_URL/)
  })
})
