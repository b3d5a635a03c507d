import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'

/** A log that a process writes. */
export interface LogFile {
  write(chunk: Uint8Array): void
  close(): void
}

/**
 * Appends to the file at `path`; once it holds `bytesMax` it becomes `path.1`, in place of the former one. A full disk
 * loses lines but stops nobody.
 */
export function openLogFile(path: string, bytesMax = 20 * 1024 * 1024): LogFile {
  let fd = openSync(path, 'a', 0o600)
  let size = fstatSync(fd).size
  const rotate = (): void => {
    closeSync(fd)
    renameSync(path, `${path}.1`)
    fd = openSync(path, 'a', 0o600)
    size = 0
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
