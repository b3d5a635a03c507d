import { statfs } from 'node:fs/promises'
import type { Logger } from '#libs/log/logger.js'

/** The disk to watch, and its minimum free space. */
export interface FreeSpaceOptions {
  /** A folder on the data's disk; `null` if this process cannot see it. */
  readonly path: string | null
  /** The minimum free bytes; 0 for no limit. */
  readonly bytesMin: number
  readonly intervalMs: number
  readonly log: Logger
  /** The free bytes for non-root users. */
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
 * Checks the disk periodically, so that requests cost no system call; resolves after the first check. An unreadable
 * disk counts as having room, and is logged once.
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
