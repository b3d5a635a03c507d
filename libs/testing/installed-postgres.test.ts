import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { foldersWith, installedPrograms } from './installed-postgres.js'

let root = ''
const folder = (name: string): string => join(root, name)

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'snipkeep-programs-'))
  for (const name of ['first', 'second', 'half']) await mkdir(folder(name))
  for (const path of ['first/initdb', 'first/postgres', 'half/initdb', 'second/initdb', 'second/postgres'])
    await writeFile(folder(path), '')
  vi.stubEnv('PATH', ['half', 'first', 'second'].map(folder).join(':'))
  vi.stubEnv('PG_BIN', '')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(root, { recursive: true, force: true })
})

test('every folder of PATH that has all programs is named, in its order', () => {
  expect(foldersWith('initdb', 'postgres').slice(0, 2)).toEqual([folder('first'), folder('second')])
  expect(installedPrograms('initdb', 'postgres')).toBe(folder('first'))
})

test('PG_BIN is the only one where it is set', () => {
  vi.stubEnv('PG_BIN', folder('second'))
  expect(foldersWith('initdb', 'postgres')).toEqual([folder('second')])
  vi.stubEnv('PG_BIN', folder('half'))
  expect(foldersWith('initdb', 'postgres')).toEqual([])
  expect(installedPrograms('initdb', 'postgres')).toBeNull()
})
