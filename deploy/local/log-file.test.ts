import { mkdtemp, readFile, rm } from 'node:fs/promises'
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

test('a line longer than a whole log is kept whole', async () => {
  write('x'.repeat(100))
  expect(await readFile(path, 'utf8')).toHaveLength(101)
})
