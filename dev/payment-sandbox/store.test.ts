import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSandboxModel } from './sandbox-model.js'
import { emptyState, forgetOld } from './state.js'
import { fileStore } from './store.js'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-sandbox-store-'))
  path = join(folder, 'state.json')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('returns what was stored, in a private file, and an empty state at first', async () => {
  expect(await fileStore(path).load()).toEqual(emptyState())
  const state = emptyState()
  const model = createSandboxModel(state, 'http://sandbox', Date.now)
  model.createCustomer('ann@example.com', { ['__proto__']: 'kept' })
  state.clockOffset = 7
  await fileStore(path).save(state)
  expect(await fileStore(path).load()).toEqual(state)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['state.json'])
})

it('is always complete, and ends with the last of many changes', async () => {
  const store = fileStore(path)
  const state = emptyState()
  const saves: Promise<void>[] = []
  for (let n = 1; n <= 200; n += 1) {
    state.lastNumber = n
    saves.push(store.save(state))
    if (n % 20 === 0) {
      const text = await readFile(path, 'utf8').catch(() => '{}')
      expect(() => JSON.parse(text)).not.toThrow()
    }
  }
  await Promise.all(saves)
  expect((await fileStore(path).load()).lastNumber).toBe(200)
})

it('drops delivered events beyond 2,000, and responses after a day', () => {
  const state = emptyState()
  const model = createSandboxModel(state, 'http://sandbox', Date.now)
  for (let n = 0; n < 2_010; n += 1) model.createCustomer(null, {})
  const [first, ...others] = Object.values(state.events)
  for (const event of others) event.delivered = true
  const now = model.now()
  state.answers.old = { request: '', status: 200, body: '', at: now - 86_400 }
  state.answers.young = { request: '', status: 200, body: '', at: now - 86_399 }
  forgetOld(state, now)
  expect(Object.keys(state.events)).toHaveLength(2_001)
  expect(state.events[first?.id ?? '']).toBe(first)
  expect(Object.keys(state.answers)).toEqual(['young'])
})

it('a damaged file is an error with a hint, not an empty state', async () => {
  for (const text of [
    '',
    '{',
    'null',
    '[]',
    '{"clockOffset":0}',
    JSON.stringify({ ...emptyState(), events: 3 }),
  ]) {
    await writeFile(path, text)
    await expect(fileStore(path).load(), text).rejects.toThrow(/damaged; remove it/)
  }
})
