import type { FoundSecret } from './match-secret.js'
import { createByteSearch, lookAhead, lookBack, type ScanOptions } from './search-bytes.js'

/** Finds secrets in bytes that arrive in chunks of any size. */
export interface SecretScanner {
  push(chunk: Uint8Array): void
  /** What was found so far, in order. */
  found(): readonly FoundSecret[]
  /** Ends the input; returns what was found, in order. */
  finish(): readonly FoundSecret[]
}

/** A secret is found before so many bytes have followed its start. */
export const lagBytesMax: number = 2 * (lookBack + lookAhead)

/** Finds the secrets in bytes that are all there. */
export function findSecrets(bytes: Uint8Array, options: ScanOptions): readonly FoundSecret[] {
  const { search, results } = createByteSearch(options)
  search(bytes, 0, bytes.length, bytes.length, 0)
  return results()
}

/** Finds secrets wherever chunks end, in linear time and 8 KiB of memory; chunks are not kept. */
export function createSecretScanner(options: ScanOptions): SecretScanner {
  const { search, results } = createByteSearch(options)
  /** The last bytes: those that were searched, for what looks back, and those of which too little is known yet. */
  const tail = new Uint8Array(lookBack + 3 * lookAhead)
  let tailLength = 0
  /** Where the search goes on in the tail. */
  let next = 0
  /** The offset of the tail in the input. */
  let base = 0

  function append(bytes: Uint8Array): void {
    tail.set(bytes, tailLength)
    tailLength += bytes.length
  }

  function searchTail(to: number): void {
    if (to <= next) return
    search(tail, next, to, tailLength, base)
    const forgotten = Math.max(0, to - lookBack)
    tail.copyWithin(0, forgotten, tailLength)
    tailLength -= forgotten
    next = to - forgotten
    base += forgotten
  }

  function pushSmall(chunk: Uint8Array): void {
    append(chunk)
    searchTail(tailLength - lookAhead)
  }

  /** Searches a chunk where it is, except for its ends. */
  function pushLarge(chunk: Uint8Array): void {
    const start = base + tailLength
    const seam = tailLength + lookBack
    append(chunk.subarray(0, lookBack + lookAhead))
    search(tail, next, seam, tailLength, base)
    const to = chunk.length - lookAhead
    search(chunk, lookBack, to, chunk.length, start)
    tail.set(chunk.subarray(to - lookBack))
    tailLength = lookBack + lookAhead
    next = lookBack
    base = start + to - lookBack
  }

  return {
    push(chunk) {
      if (chunk.length > lookBack + 2 * lookAhead) return pushLarge(chunk)
      for (let at = 0; at < chunk.length; at += lookAhead) pushSmall(chunk.subarray(at, at + lookAhead))
    },
    found: results,
    finish() {
      searchTail(tailLength)
      return results()
    },
  }
}
