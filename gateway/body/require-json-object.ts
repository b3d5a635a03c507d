import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterSpace, openBrace } from '#engine/json-bytes/json-bytes.js'
import { endsTooEarly, malformedJson, notAnObject, tooDeep } from './body-errors.js'
import { createJsonScanner } from './json-scanner.js'

/** The bytes between two turns of the event loop. */
const bytesPerTurn = 524_288

/**
 * Checks a whole body.
 * @param depth how many containers may be open at once.
 * @throws DomainError `malformed_json` unless the bytes are one JSON object in UTF-8.
 */
export async function requireJsonObject(bytes: Uint8Array, depth: number): Promise<void> {
  const scanner = createJsonScanner(depth)
  let at = 0
  while (at < bytes.length && scanner.status === 'scanning') {
    if (at > 0) await nextTurn()
    at = scanner.scan(bytes, at, Math.min(bytes.length, at + bytesPerTurn))
  }
  if (scanner.status === 'scanning') scanner.end()
  if (scanner.status === 'too_deep') throw tooDeep('', at)
  if (scanner.status === 'malformed') throw malformedJson(at)
  if (scanner.status === 'scanning') throw endsTooEarly(bytes.length)
  const rest = afterSpace(bytes, at)
  if (rest < bytes.length) throw malformedJson(rest)
  const first = afterSpace(bytes, 0)
  if (bytes[first] !== openBrace) throw notAnObject(first)
}
