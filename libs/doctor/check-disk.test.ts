import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { checkDisk, freeSpaceFinding } from './check-disk.js'

test.each([
  [127, 'problem'],
  [128, 'warning'],
  [1_023, 'warning'],
  [1_024, 'ok'],
])('%i MiB of free space are %s', (free, verdict) => {
  expect(freeSpaceFinding('/data', free * 1_048_576).verdict).toBe(verdict)
})

test('an existing folder is measured, and a missing one is skipped', async () => {
  expect((await checkDisk(tmpdir())).message).toMatch(/^\d+ MiB are free for /)
  expect((await checkDisk('/nowhere/at/all')).verdict).toBe('skipped')
})
