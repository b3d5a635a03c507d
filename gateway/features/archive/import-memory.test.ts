import { setTimeout as passed } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createUploadBudget, type UploadBudget } from '../../body/upload-budget.js'
import { reserveMemory } from './import-memory.js'

const mebibyte = 1_048_576
const largest = 5 * mebibyte
let uploads: UploadBudget
const signal = new AbortController().signal
const patience = { waitMs: 5_000, retryMs: 5 }

beforeEach(() => {
  uploads = createUploadBudget(64 * mebibyte)
})
afterEach(() => {
  uploads.close()
})

it('an import reserves what its lists take, and one with a long list waits for another', async () => {
  const [one, other] = [reserveMemory(uploads, signal, patience), reserveMemory(uploads, signal, patience)]
  await one.hold(largest)
  let waits = true
  const held = other.hold(largest).then(() => {
    waits = false
  })
  await passed(50)
  expect(waits).toBe(true)
  // Small uploads go on.
  uploads.reserve(8 * mebibyte)()
  await one.hold(0)
  await held
  one.release()
  other.release()
  uploads.reserve(64 * mebibyte)()
})

it('an import whose list finds no memory in time is unavailable', async () => {
  uploads.reserve(32 * mebibyte)
  const memory = reserveMemory(uploads, signal, { waitMs: 20, retryMs: 5 })
  await expect(memory.hold(largest)).rejects.toMatchObject({ code: 'unavailable' })
  memory.release()
  uploads.reserve(32 * mebibyte)()
})
