import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

/** What one run of the command line came to. */
interface Ran {
  readonly code: number | null
  readonly out: Buffer
  readonly err: string
}

const csv = 'name,role\r\nAda,"engineer"\n'
/** Prints the most memory that the process had; what getrusage says begins with that of its parent. */
const measured = `data:text/javascript,import{readFileSync}from"node:fs";process.on("exit",()=>process.stderr.write(readFileSync("/proc/self/status")))`

let folder: string
let program: string
let system: SystemInProcess
let env: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-cli-'))
  await mkdir(join(folder, 'tmp'))
  const outDir = join(folder, 'package')
  await promisify(execFile)('node_modules/.bin/vite', [
    'build',
    '--logLevel',
    'warn',
    '--outDir',
    outDir,
    'clients/cli',
  ])
  program = join(outDir, 'snipkeep.mjs')
  system = await startSystem()
  const pro = await system.user('mia', 'pro')
  const key = (await pro.post('/api/keys', { name: 'cli' })).json<{ key: string }>().key
  env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    TMPDIR: join(folder, 'tmp'),
    SNIPKEEP_SERVER: system.baseUrl(),
    SNIPKEEP_KEY: key,
  }
})
afterAll(async () => {
  await system?.stop()
  await rm(folder, { recursive: true, force: true })
})

function start(
  args: readonly string[],
  more: Record<string, string> = {},
  flags: readonly string[] = [],
): ChildProcess {
  return spawn(process.execPath, [...flags, program, ...args], { env: { ...env, ...more }, cwd: folder })
}

async function ended(child: ChildProcess): Promise<Ran> {
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out: Buffer.concat(out), err: Buffer.concat(err).toString() }
}

function snipkeep(
  args: readonly string[],
  input: string | Buffer = '',
  more: Record<string, string> = {},
): Promise<Ran> {
  const child = start(args, more)
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  return ended(child)
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

it('save prints the id alone, get gives the bytes back', async () => {
  const saved = await snipkeep(['save', '-t', 'csv', '--title', 'Team', '--tag', 'a', '--tag', 'b'], csv)
  expect([saved.code, saved.err]).toEqual([0, 'Saved "Team" (41 B).\n'])
  const id = saved.out.toString().trim()
  expect((await snipkeep(['get', id, '-p', '/csv'])).out.toString()).toBe(csv)
  const listed = await snipkeep(['list', '--tag', 'b', '--json=id,title,tags'])
  expect(JSON.parse(listed.out.toString())).toEqual([{ id, title: 'Team', tags: ['a', 'b'] }])
  expect((await snipkeep(['rm', id])).code).toBe(2)
  expect((await snipkeep(['rm', id, '--yes'])).code).toBe(0)
  expect((await snipkeep(['get', id])).code).toBe(5)
})

it('share prints the URL alone, which anyone can get', async () => {
  await writeFile(join(folder, 'out.csv'), csv)
  const shared = await snipkeep(['share', 'out.csv', '--expires', '10m', '--quiet'])
  expect([shared.code, shared.err]).toEqual([0, ''])
  const url = shared.out.toString().trim()
  expect(url).toMatch(/^http:.*\/s\/[0-9A-Za-z]{22}$/)
  const got = await snipkeep(['get', url, '-o', 'back.json'], '', { SNIPKEEP_KEY: '' })
  expect([got.code, got.out.length]).toEqual([0, 0])
  expect(JSON.parse(await readFile(join(folder, 'back.json'), 'utf8'))).toEqual({ csv })
})

it('a name stands for its snippet, which is replaced, shared and completed', async () => {
  for (const text of ['one', 'two']) {
    expect((await snipkeep(['save', '-t', 'text', '--name', 'nightly'], text)).code).toBe(0)
  }
  expect((await snipkeep(['get', '@nightly', '-p', '/text'])).out.toString()).toBe('two')
  expect((await snipkeep(['share', '@nightly'])).out.toString()).toContain('/s/')
  expect((await snipkeep(['__complete', '--', 'get', '@ni'])).out.toString()).toBe('@nightly\n')
  expect((await snipkeep(['__complete', '--', 'sa'])).out.toString()).toBe('save\n')
})

it('the bash script completes names of snippets', async () => {
  await snipkeep(['save', '-t', 'text', '--name', 'weekly'], 'x')
  await mkdir(join(folder, 'bin'), { recursive: true })
  await writeFile(join(folder, 'bin/snipkeep'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
    mode: 0o755,
  })
  const script =
    'eval "$(snipkeep completion bash)"; COMP_WORDS=(snipkeep get @wee); COMP_CWORD=2; _snipkeep; echo "$COMPREPLY"'
  const path = `${join(folder, 'bin')}:${process.env.PATH}`
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: { ...env, PATH: path } })
  expect(stdout).toBe('@weekly\n')
})

it('every command has help with an example', async () => {
  const { out } = await snipkeep(['__complete', '--', ''])
  for (const name of out
    .toString()
    .trim()
    .split('\n')
    .filter((word) => !['key', 'history', 'help'].includes(word))) {
    const help = await snipkeep([name, '--help'])
    expect([name, help.code, help.out.toString().includes('\n  $ ')]).toEqual([name, 0, true])
  }
})

it.each([
  [0, ['whoami'], {}],
  [2, ['sav'], {}],
  [2, ['share', 'missing.csv'], {}],
  [2, ['list', '--limit', '0'], {}],
  [2, ['api', 'GET', 'api/plans'], {}],
  [4, ['whoami'], { SNIPKEEP_KEY: '' }],
  [4, ['whoami'], { SNIPKEEP_KEY: 'snk_wrong' }],
  [5, ['get', '@nothing'], {}],
  [5, ['api', 'GET', '/api/nothing'], {}],
  [7, ['whoami', '--no-retry'], { SNIPKEEP_SERVER: 'http://127.0.0.1:1' }],
] as const)('exits %i after %j', async (code, args, more) => {
  const ran = await snipkeep(args, '', more)
  expect([ran.code, ran.err]).toEqual([code, expect.any(String)])
})

it('a problem is printed unchanged with --json', async () => {
  const { err, out } = await snipkeep(['get', '@nothing', '--json'])
  expect([JSON.parse(err).code, out.length]).toEqual(['not_found', 0])
})

it.skipIf(process.platform !== 'linux')(
  '50 MB go up and down, and arrive whole, with at most 80 MB of memory',
  async () => {
    const text = Buffer.alloc(49_000_000, 'abcdefghijklmnopqrstuvwxyz0123456789,')
    await writeFile(join(folder, 'large.csv'), text)
    const up = start(['save', 'large.csv', '--name', 'large'], {}, ['--import', measured])
    const saved = await ended(up)
    expect(saved.code, saved.err).toBe(0)
    const piped = start(['save', '-t', 'csv', '--name', 'large'], {}, ['--import', measured])
    piped.stdin?.end(text)
    const spooled = await ended(piped)
    expect(spooled.code, spooled.err).toBe(0)
    const down = start(['get', '@large', '-p', '/csv'], {}, ['--import', measured])
    const got = await ended(down)
    expect(digest(got.out)).toBe(digest(text))
    const peaks = [saved, spooled, got].map(({ err }) => Number(/VmHWM:\s+(\d+)/.exec(err)?.[1]) * 1_024)
    expect(
      peaks.every((peak) => peak < 80_000_000),
      `${peaks}`,
    ).toBe(true)
  },
)

it('too much is told as what it is, before and in the middle of an upload', async () => {
  await writeFile(join(folder, 'large.txt'), Buffer.alloc(60_000_000, 'x'))
  // Each line break takes two bytes as it is stored, so that the limit is met on the way.
  await writeFile(join(folder, 'breaks.txt'), Buffer.alloc(45_000_000, '\n'))
  for (const name of ['large.txt', 'breaks.txt']) {
    const ran = await snipkeep(['save', name, '--no-retry'])
    expect([ran.code, ran.err]).toEqual([6, expect.stringContaining('_too_large')])
  }
})

it('Ctrl-C leaves nothing behind', async () => {
  const child = start(['save', '-t', 'text'])
  const end = ended(child)
  await new Promise<void>((resolve) => child.stdin?.write(Buffer.alloc(20_000_000, 'x'), () => resolve()))
  child.kill('SIGINT')
  expect((await end).code).toBe(130)
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})

it('what login stores is for its owner alone, and goes to no other server', async () => {
  const own = { SNIPKEEP_KEY: '', SNIPKEEP_SERVER: '', XDG_CONFIG_HOME: join(folder, 'config') }
  const login = ['login', '--with-token', '--server', system.baseUrl()]
  expect((await snipkeep(login, `${await system.issuer.token('fred')}\n`, own)).err).toContain(
    'fred@example.com',
  )
  const file = join(folder, 'config/snipkeep/credentials.json')
  expect([(await stat(file)).mode & 0o777, (await stat(join(file, '..'))).mode & 0o777]).toEqual([
    0o600, 0o700,
  ])
  const me = await snipkeep(['whoami', '--json=email,plan'], '', own)
  expect(JSON.parse(me.out.toString())).toEqual({ email: 'fred@example.com', plan: 'free' })
  expect((await snipkeep(['whoami', '--server', 'http://127.0.0.1:1'], '', own)).code).toBe(4)
  await chmod(file, 0o644)
  expect((await snipkeep(['whoami'], '', own)).err).toContain('Others can read')
  await chmod(file, 0o600)
  expect((await snipkeep(['logout'], '', own)).code).toBe(0)
  expect((await snipkeep(['whoami'], '', own)).code).toBe(2)
})

it('keys are made, listed and deleted; history is listed and cleared', async () => {
  const token = { SNIPKEEP_KEY: '', SNIPKEEP_TOKEN: await system.issuer.token('mia') }
  const made = await snipkeep(['key', 'create', 'second', '--scope', 'read', '--json'], '', token)
  const { id, key } = JSON.parse(made.out.toString()) as Record<string, string>
  expect(key).toMatch(/^snk_/)
  expect((await snipkeep(['key', 'list'], '', token)).out.toString()).toContain('second')
  const rotated = await snipkeep(['key', 'rotate', id ?? '', '--overlap', '1h'], '', token)
  expect(rotated.out.toString()).toMatch(/^snk_[0-9A-Za-z]{40}\n$/)
  expect((await snipkeep(['key', 'finish', id ?? ''], '', token)).code).toBe(0)
  expect((await snipkeep(['whoami'], '', { SNIPKEEP_KEY: key ?? '' })).code).toBe(4)
  const program = { SNIPKEEP_KEY: rotated.out.toString().trim() }
  expect((await snipkeep(['whoami'], '', program)).code).toBe(0)
  const leaked = await snipkeep(['key', 'revoke'], rotated.out, { SNIPKEEP_KEY: '' })
  expect([leaked.code, leaked.out.toString()]).toEqual([0, ''])
  expect((await snipkeep(['whoami'], '', program)).code).toBe(4)
  const other = await snipkeep(['key', 'create', 'third', '--json=id'], '', token)
  const { id: third } = JSON.parse(other.out.toString()) as Record<string, string>
  expect((await snipkeep(['key', 'rm', third ?? ''], '', token)).code).toBe(0)
  expect((await snipkeep(['history', 'list'], '', token)).code).toBe(0)
  expect((await snipkeep(['history', 'clear', '--yes'], '', token)).code).toBe(0)
})
