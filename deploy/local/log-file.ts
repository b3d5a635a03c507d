import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'

/** A log that a process writes. */
export interface LogFile {
  write(chunk: Uint8Array): void
  close(): void
}

function makeRoom(path: string): void {
  try {
    renameSync(path, `${path}.1`)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isGone) throw error
  }
}

/**
 * Appends to the file at `path`; once it holds `bytesMax` it becomes `path.1`, in place of the former one, or goes on
 * for as much again where that cannot be done. A full disk loses lines but stops nobody.
 */
export function openLogFile(path: string, bytesMax = 20 * 1024 * 1024): LogFile {
  let fd = openSync(path, 'a', 0o600)
  let size = fstatSync(fd).size
  const rotate = (): void => {
    // Also where it fails, so that not every line tries it again.
    size = 0
    try {
      makeRoom(path)
      const full = fd
      fd = openSync(path, 'a', 0o600)
      closeSync(full)
    } catch {
      // There is nowhere to tell it.
    }
  }
  return {
    write(chunk) {
      try {
        if (size > 0 && size + chunk.length > bytesMax) rotate()
        size += writeSync(fd, chunk)
      } catch {
        // There is nowhere to tell it.
      }
    },
    close: () => closeSync(fd),
  }
}
