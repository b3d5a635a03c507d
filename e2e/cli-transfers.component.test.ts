import { createHash } from 'node:crypto'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CommandLine, ended } from './harness/command-line.js'
import { type CommandLineWithKey, startCommandLineWithKey } from './harness/command-line-with-key.js'

/** Prints the process's peak memory; getrusage would include that of its parent. */
const measured = `data:text/javascript,import{readFileSync}from"node:fs";process.on("exit",()=>process.stderr.write(readFileSync("/proc/self/status")))`

let started: CommandLineWithKey
let cli: CommandLine

beforeAll(async () => {
  started = await startCommandLineWithKey()
  ;({ cli } = started)
})
afterAll(() => started?.stop())

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

it.skipIf(process.platform !== 'linux')(
  '50 MB go up and down, and arrive whole, with at most 25 MB of memory more than saving a byte takes',
  async () => {
    const text = Buffer.alloc(49_000_000, 'abcdefghijklmnopqrstuvwxyz0123456789,')
    await writeFile(join(cli.folder, 'large.csv'), text)
    const run = async (args: readonly string[], input?: Buffer) => {
      const child = cli.start(args, {}, ['--import', measured])
      child.stdin?.end(input)
      const ran = await ended(child)
      expect(ran.code, ran.err).toBe(0)
      return { ...ran, peak: Number(/VmHWM:\s+(\d+)/.exec(ran.err)?.[1]) * 1_024 }
    }
    // What the versions of Node take for the command line itself differs by 20 MB.
    const usual = await run(['save', '-t', 'csv', '--name', 'small'], Buffer.from('a'))
    const saved = await run(['save', 'large.csv', '--name', 'large'])
    const piped = await run(['save', '-t', 'csv', '--name', 'large'], text)
    const got = await run(['get', '@large', '-p', '/csv'])
    expect(digest(got.out)).toBe(digest(text))
    const peaks = [saved.peak, piped.peak, got.peak]
    expect(Math.max(...peaks) - usual.peak, [usual.peak, ...peaks].join()).toBeLessThan(25_000_000)
  },
)

it('saved content is compared completely, and not sent again', async () => {
  const text = Buffer.alloc(6 * 3_000_000, 'é",\\\n')
  const save = (input: Buffer) => cli.run(['save', '-t', 'csv', '--name', 'same', '--if-changed'], input)
  expect((await save(text)).err).toContain('Saved')
  expect((await save(text)).err).toContain('Unchanged')
  text[text.length - 1] = 0x21
  expect((await save(text)).err).toContain('Saved')
})

it('exceeding a limit is reported clearly, before and during an upload', async () => {
  await writeFile(join(cli.folder, 'large.txt'), Buffer.alloc(60_000_000, 'x'))
  // Each line break is stored as two bytes, so that the limit is exceeded midway.
  await writeFile(join(cli.folder, 'breaks.txt'), Buffer.alloc(50_000_000, '\n'))
  for (const name of ['large.txt', 'breaks.txt', 'breaks.txt']) {
    const ran = await cli.run(['save', name, '--no-retry'])
    expect([ran.code, ran.err]).toEqual([6, expect.stringContaining('[data_too_large]')])
  }
})

it('10 MB of piped output arrive complete, and a closed pipe is not an error', async () => {
  const text = Buffer.alloc(10_000_000, '0123456789abcdef\n')
  expect((await cli.run(['save', '-t', 'text', '--name', 'ten'], text)).code).toBe(0)
  const whole = await cli.bash('snipkeep get @ten -p /text | cat; exit "$PIPESTATUS"')
  expect([whole.code, digest(whole.out)]).toEqual([0, digest(text)])
  const cut = await cli.bash('snipkeep get @ten -p /text | head -c 17')
  expect([cut.out.toString(), cut.err]).toEqual(['0123456789abcdef\n', ''])
})

it('Ctrl-C during an upload leaves nothing behind', async () => {
  const child = cli.start(['save', '-t', 'interrupted'])
  const end = ended(child)
  await new Promise<void>((resolve) => child.stdin?.write(Buffer.alloc(20_000_000, 'x'), () => resolve()))
  child.kill('SIGINT')
  expect((await end).code).toBe(130)
  expect(await readdir(join(cli.folder, 'tmp'))).toEqual([])
  expect((await cli.run(['list', '-t', 'interrupted'])).out.length).toBe(0)
})

it('Ctrl-C during a download leaves no file, and keeps an existing one', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Length': '10000000' }).write(Buffer.alloc(1_000_000, 'x'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stalled = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const out = join(cli.folder, 'out.txt')
  await writeFile(out, 'before')
  try {
    const child = cli.start(['get', '@any', '-o', 'out.txt', '--server', stalled])
    const end = ended(child)
    const arrived = async (): Promise<number> => {
      const part = (await readdir(cli.folder)).find((name) => /^out\.txt\..+\.part$/.test(name))
      return part === undefined ? 0 : (await stat(join(cli.folder, part))).size
    }
    await expect.poll(arrived).toBe(1_000_000)
    child.kill('SIGINT')
    expect((await end).code).toBe(130)
  } finally {
    server.close()
    server.closeAllConnections()
  }
  expect((await readdir(cli.folder)).filter((name) => name.startsWith('out'))).toEqual(['out.txt'])
  expect((await stat(out)).size).toBe('before'.length)
})
