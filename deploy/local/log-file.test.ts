import { mkdir, mkdtemp, readdir, readFile, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLogFile } from './log-file.js'

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
