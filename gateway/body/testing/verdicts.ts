import { DomainError } from '#libs/core/domain-error.js'
import { createEnvelopeScanner, type Envelope, type EnvelopeRules } from '../envelope-scanner.js'
import { createJsonScanner, type ScanStatus } from '../json-scanner.js'

/** The scanner's verdict on a whole document: one value with white space around it. */
export function scanDocument(chunks: readonly Uint8Array[], depthMax = 512): ScanStatus {
  const scanner = createJsonScanner(depthMax)
  for (const chunk of chunks) {
    const stop = scanner.scan(chunk, 0, chunk.length)
    for (const byte of chunk.subarray(stop)) {
      if (scanner.status === 'complete' && ![0x20, 0x09, 0x0a, 0x0d].includes(byte)) return 'malformed'
    }
    if (scanner.status === 'malformed' || scanner.status === 'too_deep') break
  }
  return scanner.end()
}

/** The verdict of `JSON.parse` after a fatal UTF-8 decoder. */
export function acceptedByPlatform(bytes: Uint8Array): boolean {
  try {
    parseByPlatform(bytes)
    return true
  } catch {
    return false
  }
}

/** Throws if the document is invalid. */
export function parseByPlatform(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
}

export interface EnvelopeOutcome {
  /** The error, or `null`. */
  readonly refused: DomainError | null
  readonly envelope: Envelope | null
  /** The bytes passed through as `data`. */
  readonly data: Buffer
}

/** The rules of most tests. */
export const testRules: EnvelopeRules = {
  fields: new Set(['tool', 'title', 'tags', 'metadata']),
  data: { bytesMax: 5_242_880, plan: 'free', noun: 'share', proBytesMax: 52_428_800 },
}

export function scanEnvelope(chunks: readonly Uint8Array[], rules = testRules): EnvelopeOutcome {
  const scanner = createEnvelopeScanner(rules)
  const data: Uint8Array[] = []
  try {
    for (const chunk of chunks) {
      const slice = scanner.push(chunk)
      if (slice !== null) data.push(slice)
    }
    return { refused: null, envelope: scanner.finish(), data: Buffer.concat(data) }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { refused: error, envelope: null, data: Buffer.concat(data) }
  }
}
