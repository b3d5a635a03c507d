import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isAlive } from '#libs/runtime/is-alive.js'
import { type SupervisedProcess, supervise } from './process-supervisor.js'

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

test('one that nobody wants again stays down', async () => {
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
