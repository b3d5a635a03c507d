import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isAlive } from '#libs/runtime/is-alive.js'
import { openLogFile, type SupervisedProcess, supervise, terminalLine } from './process-supervisor.js'

describe('a supervised process', () => {
  let place = ''
  let said: string[] = []
  let ends: { name: string; code: number | null; lastWords: string }[] = []
  let running: SupervisedProcess | undefined

  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'snipkeep-supervise-'))
    said = []
    ends = []
  })
  afterEach(async () => {
    await running?.stop()
    await rm(place, { recursive: true, force: true })
  })

  async function start(script: string, again = true, graceMs = 10_000): Promise<SupervisedProcess> {
    const path = join(place, 'part.mjs')
    await writeFile(path, script)
    running = supervise(
      {
        name: 'part',
        nodeArgs: [],
        script: path,
        env: { ...process.env },
        logFile: join(place, 'part.log'),
        graceMs,
      },
      {
        say: (line) => said.push(line),
        ended: (name, code, lastWords) => {
          ends.push({ name, code, lastWords })
          return again
        },
      },
    )
    return running
  }

  const log = (): Promise<string> => readFile(join(place, 'part.log'), 'utf8').catch(() => '')
  const logged = (text: string) => expect.poll(log).toContain(text)

  test('writes its output to its log, and only errors to the terminal', async () => {
    await start(`
    console.log('{"level":"info","msg":"listening"}')
    console.log('{"level":"error","msg":"it broke"}')
    process.on('SIGTERM', () => process.exit(0))
    setInterval(() => {}, 1000)`)
    await logged('it broke')
    expect(await log()).toContain('listening')
    await expect.poll(() => said).toEqual(['[part] it broke'])
  })

  test('is restarted when it dies, and its last output is shown', async () => {
    const part = await start(`
    console.error('out of luck')
    process.exit(3)`)
    await expect.poll(() => ends.length).toBeGreaterThanOrEqual(2)
    expect(ends[0]).toEqual({ name: 'part', code: 3, lastWords: 'out of luck' })
    await part.stop()
  })

  test('stays down when it is not wanted', async () => {
    const part = await start('process.exit(78)', false)
    await expect.poll(() => ends).toEqual([{ name: 'part', code: 78, lastWords: '' }])
    expect(part.pid()).toBeUndefined()
  })

  test('is stopped gracefully and not restarted', async () => {
    const part = await start(`
    process.on('SIGTERM', () => { console.log('finished'); process.exit(0) })
    console.log('up')
    setInterval(() => {}, 1000)`)
    await logged('up')
    await part.stop()
    expect(await log()).toContain('finished')
    expect(ends).toEqual([])
    expect(part.pid()).toBeUndefined()
  })

  test('is killed after the grace period', async () => {
    const part = await start(
      `process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)`,
      true,
      50,
    )
    await logged('up')
    const pid = part.pid() ?? 0
    await part.stop()
    expect(isAlive(pid)).toBe(false)
  })

  test('learns from its closed channel that the launcher is gone', async () => {
    await start(
      `console.log('channel', typeof process.send, process.connected); setInterval(() => {}, 1000)`,
      true,
      50,
    )
    await logged('channel function true')
  })
})

describe('its log file', () => {
  let path = ''

  beforeEach(async () => {
    path = join(await mkdtemp(join(tmpdir(), 'snipkeep-log-')), 'gateway.log')
  })
  afterEach(() => rm(join(path, '..'), { recursive: true, force: true }))

  function write(...lines: string[]): void {
    const log = openLogFile(path, 20)
    for (const line of lines) log.write(Buffer.from(`${line}\n`))
    log.close()
  }

  test('continues after a restart', async () => {
    write('one')
    write('two')
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n')
  })

  test('is rotated when full, and the previous one is kept', async () => {
    write('0123456789', 'abcdefgh', 'next')
    expect(await readFile(`${path}.1`, 'utf8')).toBe('0123456789\nabcdefgh\n')
    expect(await readFile(path, 'utf8')).toBe('next\n')
  })

  test('that cannot be rotated loses no line, and is not retried for each', async () => {
    await mkdir(`${path}.1`)
    const log = openLogFile(path, 20)
    const lines = ['0123456789', 'abcdefgh', 'next', 'and', 'on']
    for (const line of lines) {
      log.write(Buffer.from(`${line}\n`))
      if (line === 'next') await rmdir(`${path}.1`)
    }
    log.close()
    expect(await readFile(path, 'utf8')).toBe(`${lines.join('\n')}\n`)
    expect(await readdir(join(path, '..'))).toEqual(['gateway.log'])
  })

  test('that was deleted is recreated once the old one is full', async () => {
    const log = openLogFile(path, 20)
    log.write(Buffer.from('0123456789abcdefgh\n'))
    await rm(path)
    log.write(Buffer.from('next\n'))
    log.close()
    expect(await readFile(path, 'utf8')).toBe('next\n')
  })

  test('keeps a line longer than a whole log in one piece', async () => {
    write('x'.repeat(100))
    expect(await readFile(path, 'utf8')).toHaveLength(101)
  })
})

describe('a line at the terminal', () => {
  test('shows an error with its process, message and cause', () => {
    const line =
      '{"level":"error","service":"content","err":{"message":"disk full","stack":"…"},"msg":"a task failed"}'
    expect(terminalLine('content', line)).toBe('[content] a task failed: disk full')
  })

  test('shows an event without a message as is', () => {
    expect(terminalLine('web', '{"level":"fatal"}')).toBe('[web] {"level":"fatal"}')
  })

  test.each([
    '{"level":"info","msg":"listening"}',
    '{"level":"warn","msg":"slow"}',
    '{"level":"info","msg":"said \\"level\\":\\"error\\""}',
    'plain text with "level":"error" in it',
    '"level":"error"',
    '',
  ])('anything else stays in the log: %s', (line) => {
    expect(terminalLine('web', line)).toBeNull()
  })
})
