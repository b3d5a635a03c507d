import { statfs } from 'node:fs/promises'
import type { Logger } from '#libs/log/logger.js'

/** Where free space is looked at, and how much must be left. */
export interface FreeSpaceOptions {
  /** A folder on the disk that data lies on; `null` where this process sees none of it. */
  readonly path: string | null
  /** Bytes that must stay free; 0 for no such limit. */
  readonly bytesMin: number
  readonly intervalMs: number
  readonly log: Logger
  /** The bytes that are free for whoever is not root. */
  readonly freeBytes?: (path: string) => Promise<number>
}

/** Watches the free space of a disk. */
export interface FreeSpace {
  readonly isLow: () => boolean
  stop(): void
}

async function freeBytesOf(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}

/**
 * Looks at the disk now and then, so that a request costs no system call; resolves after the first look. A disk that
 * cannot be looked at counts as one with room, and is logged once.
 */
export async function watchFreeSpace(options: FreeSpaceOptions): Promise<FreeSpace> {
  const { path, bytesMin, intervalMs, log, freeBytes = freeBytesOf } = options
  if (path === null || bytesMin === 0) return { isLow: () => false, stop: () => {} }
  let state: 'room' | 'low' | 'unseen' = 'room'
  const look = async (): Promise<void> => {
    const before = state
    try {
      const free = await freeBytes(path)
      state = free < bytesMin ? 'low' : 'room'
      if (state === before) return
      const fields = { free_bytes: free, bytes_min: bytesMin }
      if (state === 'low')
        log.error({ event: 'disk_almost_full', ...fields }, 'disk is almost full: nothing new is stored')
      else log.info({ event: 'disk_has_room', ...fields }, 'disk has room again')
    } catch (error) {
      state = 'unseen'
      if (before !== 'unseen')
        log.warn({ event: 'disk_check_failed', err: error }, 'free disk space check failed')
    }
  }
  await look()
  const timer = setInterval(() => void look(), intervalMs)
  timer.unref()
  return { isLow: () => state === 'low', stop: () => clearInterval(timer) }
}
