import { tokenIn } from '#engine/tools/encoding/bearer-token.js'
import { isJson } from '../json/validate-json.js'
import { base64Bytes } from './base64.js'
import { jsonWriter } from './json-writer.js'

const form = /^([\w-]{4,})\.([\w-]{2,})\.([\w-]*)$/
const timeClaims = ['iat', 'nbf', 'exp', 'auth_time', 'updated_at']

/** The last second that a `Date` can hold. */
const secondsMax = 8_640_000_000_000

function jsonObject(encoded: string): { readonly text: string; readonly value: object } | null {
  const bytes = base64Bytes(encoded)
  if (bytes === null || !isJson(bytes)) return null
  const text = new TextDecoder().decode(bytes)
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { text, value } : null
}

function readableTimes(claims: object): readonly (readonly [string, string])[] {
  const members = new Map<string, unknown>(Object.entries(claims))
  return timeClaims.flatMap((name) => {
    const seconds = members.get(name)
    if (typeof seconds !== 'number' || !(Math.abs(seconds) < secondsMax)) return []
    return [
      [
        name,
        new Date(seconds * 1_000)
          .toISOString()
          .replace('T', ' ')
          .replace(/\.000Z|Z$/, ' UTC'),
      ] as const,
    ]
  })
}

/**
 * The content of a JSON Web Token as JSON: header and claims as signed, with readable times. Nothing is
 * verified.
 */
export function jwtTree(text: string): Uint8Array | null {
  const [, encodedHeader = '', encodedClaims = '', signature = ''] = form.exec(tokenIn(text).token) ?? []
  if (encodedHeader === '') return null
  const header = jsonObject(encodedHeader)
  const claims = header === null ? null : jsonObject(encodedClaims)
  if (header === null || claims === null || !('alg' in header.value)) return null
  const writer = jsonWriter()
  writer.open('{')
  writer.json(header.text, 'header')
  writer.json(claims.text, 'claims')
  const times = readableTimes(claims.value)
  if (times.length > 0) {
    writer.open('{', 'times')
    for (const [name, time] of times) writer.string(time, name)
    writer.close()
  }
  writer.string(signature, 'signature')
  writer.close()
  return writer.bytes()
}
