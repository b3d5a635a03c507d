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
  const logged = (text: string) => expect.poll(log, { timeout: 20_000 }).toContain(text)

  test('what it prints is in its log, and only its errors are on the terminal', async () => {
    await start(`
    console.log('{"level":"info","msg":"listening"}')
    console.log('{"level":"error","msg":"it broke"}')
    process.on('SIGTERM', () => process.exit(0))
    setInterval(() => {}, 1000)`)
    await logged('it broke')
    expect(await log()).toContain('listening')
    await expect.poll(() => said, { timeout: 20_000 }).toEqual(['[part] it broke'])
  })

  test('one that dies is started again, and its last words are told', async () => {
    const part = await start(`
    console.error('out of luck')
    process.exit(3)`)
    await expect.poll(() => ends.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(2)
    expect(ends[0]).toEqual({ name: 'part', code: 3, lastWords: 'out of luck' })
    await part.stop()
  })

  test('one that no one wants again stays down', async () => {
    const part = await start('process.exit(78)', false)
    await expect.poll(() => ends, { timeout: 20_000 }).toEqual([{ name: 'part', code: 78, lastWords: '' }])
    expect(part.pid()).toBeUndefined()
  })

  test('stopping lets it finish, and it is not started again', async () => {
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

  test('one that does not stop within its grace is killed', async () => {
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

  test('it is told when we are gone, by the end of its channel', async () => {
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

  test('a log goes on where the last run ended', async () => {
    write('one')
    write('two')
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n')
  })

  test('a full log makes room, and the one before it is kept', async () => {
    write('0123456789', 'abcdefgh', 'next')
    expect(await readFile(`${path}.1`, 'utf8')).toBe('0123456789\nabcdefgh\n')
    expect(await readFile(path, 'utf8')).toBe('next\n')
  })

  test('a log that cannot make room loses no line, and does not try at each', async () => {
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

  test('a log whose name is gone goes on under it, once the old one is full', async () => {
    const log = openLogFile(path, 20)
    log.write(Buffer.from('0123456789abcdefgh\n'))
    await rm(path)
    log.write(Buffer.from('next\n'))
    log.close()
    expect(await readFile(path, 'utf8')).toBe('next\n')
  })

  test('a line longer than a whole log is kept whole', async () => {
    write('x'.repeat(100))
    expect(await readFile(path, 'utf8')).toHaveLength(101)
  })
})

describe('a line at the terminal', () => {
  test('an error is shown with the name of its process, its message and its cause', () => {
    const line =
      '{"level":"error","service":"content","err":{"message":"disk full","stack":"…"},"msg":"a task failed"}'
    expect(terminalLine('content', line)).toBe('[content] a task failed: disk full')
  })

  test('an event without a message is shown as it is', () => {
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
