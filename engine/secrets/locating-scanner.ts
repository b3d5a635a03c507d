import { OffsetLocator } from './locate-offsets.js'
import type { FoundSecret } from './match-secret.js'
import { createSecretScanner, lagBytesMax, type ScanOptions } from './secret-scanner.js'

/** A secret in a JSON document. */
export interface LocatedSecret extends FoundSecret {
  /** The JSON Pointer of its value, or of the object around a key. */
  readonly pointer: string
}

/** Finds secrets in a valid JSON document that arrives in chunks, and where they are. */
export interface LocatingScanner {
  push(chunk: Uint8Array): void
  /** Ends the input; returns what was found, in order. */
  finish(): readonly LocatedSecret[]
}

/**
 * For a document that passes only once. It follows the whole document, so where that can be read again, it is cheaper
 * to locate what was found.
 */
export function createLocatingScanner(options: ScanOptions): LocatingScanner {
  const scanner = createSecretScanner(options)
  const offsets: number[] = []
  const locator = new OffsetLocator(offsets)
  /** The last bytes, in which a secret may begin that is not found yet. */
  const tail = new Uint8Array(lagBytesMax)
  let tailLength = 0

  function locate(bytes: Uint8Array): void {
    for (const [index, { start }] of scanner.found().entries()) offsets[index] = start
    locator.push(bytes)
  }

  return {
    push(chunk) {
      scanner.push(chunk)
      const passed = Math.max(0, tailLength + chunk.length - tail.length)
      const ofTail = Math.min(passed, tailLength)
      locate(tail.subarray(0, ofTail))
      locate(chunk.subarray(0, passed - ofTail))
      tail.copyWithin(0, ofTail, tailLength)
      tail.set(chunk.subarray(passed - ofTail), tailLength - ofTail)
      tailLength += chunk.length - passed
    },
    finish() {
      const found = scanner.finish()
      locate(tail.subarray(0, tailLength))
      const pointers = locator.pointers()
      return found.map((one, index) => ({ ...one, pointer: pointers[index] ?? '' }))
    },
  }
}
