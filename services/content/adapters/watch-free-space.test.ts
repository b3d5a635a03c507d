import { expect, it, vi } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import { type FreeSpaceOptions, watchFreeSpace } from './watch-free-space.js'

function fixture(free: () => number | Error) {
  const lines: string[] = []
  const options: FreeSpaceOptions = {
    path: '/data',
    bytesMin: 1_000,
    intervalMs: 5,
    log: createLogger('test', 'info', { write: (line) => void lines.push(line) }),
    freeBytes: async () => {
      const bytes = free()
      if (bytes instanceof Error) throw bytes
      return bytes
    },
  }
  return { lines, options }
}

it('a disk with too few free bytes is low from the first check until there is room again', async () => {
  let free = 999
  const { lines, options } = fixture(() => free)
  const space = await watchFreeSpace(options)
  expect(space.isLow()).toBe(true)
  free = 1_000
  await vi.waitFor(() => expect(space.isLow()).toBe(false))
  space.stop()
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'disk is almost full: nothing new is stored',
    'disk has room again',
  ])
})

it('a disk that cannot be checked counts as having room, and is logged once', async () => {
  let looks = 0
  const { lines, options } = fixture(() => {
    looks += 1
    return new Error('no such folder')
  })
  const space = await watchFreeSpace(options)
  await vi.waitFor(() => expect(looks).toBeGreaterThan(3))
  space.stop()
  expect(space.isLow()).toBe(false)
  expect(lines).toHaveLength(1)
})

it('without a folder or a limit nothing is checked', async () => {
  const { options } = fixture(() => 0)
  expect((await watchFreeSpace({ ...options, path: null })).isLow()).toBe(false)
  expect((await watchFreeSpace({ ...options, bytesMin: 0 })).isLow()).toBe(false)
})

it("a real folder's disk is checked", async () => {
  const { options } = fixture(() => 0)
  const { freeBytes: _fake, ...real } = options
  const roomy = await watchFreeSpace({ ...real, path: '.', bytesMin: 1 })
  const never = await watchFreeSpace({ ...real, path: '.', bytesMin: Number.MAX_SAFE_INTEGER })
  expect([roomy.isLow(), never.isLow()]).toEqual([false, true])
  roomy.stop()
  never.stop()
})
