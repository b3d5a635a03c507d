import type { JsonLayout } from '../json/json-output.js'
import { rewriteJson } from '../json/rewrite-json.js'
import { ToolInputError } from '../tool-input-error.js'
import { byteChunks, wholeBytes, wholeText } from '../whole-input.js'
import { tokenIn, tokenLengthMax } from './bearer-token.js'
import { decodeBase64 } from './decode-base64.js'

function invalid(message: string, offset: number): ToolInputError {
  return new ToolInputError('jwt_invalid', message, { offset, line: 1, column: offset + 1 })
}

/** The JSON object in a part of a token, its tokens as they are. */
async function objectIn(part: string, name: string, offset: number): Promise<string> {
  const decoded = await wholeBytes(
    decodeBase64(byteChunks(new TextEncoder().encode(part)), { alphabet: 'url' }),
  ).catch((error: unknown) => {
    if (!(error instanceof ToolInputError)) throw error
    throw invalid(
      `The ${name} is not Base64 for URLs. ${error.message}`,
      offset + (error.position?.offset ?? 0),
    )
  })
  const json = await wholeText(rewriteJson(byteChunks(decoded), { indent: null })).catch((error: unknown) => {
    if (!(error instanceof ToolInputError)) throw error
    throw invalid(`The ${name} is not JSON. ${error.message}`, offset)
  })
  if (!json.startsWith('{')) throw invalid(`The ${name} is not a JSON object.`, offset)
  return json
}

const timeClaims = ['iat', 'nbf', 'exp', 'auth_time', 'updated_at']

/** The last second that a `Date` can hold. */
const secondsMax = 8_640_000_000_000

/** The times among claims as they are read: `2026-11-27 21:05:00 UTC`. */
function timesIn(claims: string): Readonly<Record<string, string>> {
  const times: Record<string, string> = {}
  const members: Readonly<Record<string, unknown>> = JSON.parse(claims)
  for (const name of timeClaims) {
    const seconds = members[name]
    if (typeof seconds !== 'number' || !(Math.abs(seconds) < secondsMax)) continue
    const time = new Date(seconds * 1_000).toISOString()
    times[name] = time.replace('T', ' ').replace(/\.000Z|Z$/, ' UTC')
  }
  return times
}

/** Writes the header and the claims of a token as JSON, also its times in words if asked. */
export async function* decodeJwt(
  input: AsyncIterable<Uint8Array>,
  options: { readonly times: boolean; readonly layout: JsonLayout },
): AsyncGenerator<Uint8Array> {
  const text = await wholeText(input)
  const { token, start } = tokenIn(text)
  if (token.length > tokenLengthMax)
    throw invalid(`The token is longer than ${tokenLengthMax} characters.`, tokenLengthMax)
  const parts = token.split('.')
  if (parts.length === 5)
    throw new ToolInputError('jwt_encrypted', 'The token is encrypted: only who has its key can read it.')
  const [header = '', claims = '', signature = ''] = parts
  if (parts.length !== 3)
    throw invalid(`A token has three parts, with dots between them; this text has ${parts.length}.`, start)
  const signatureStart = start + header.length + claims.length + 2
  if (!/^[A-Za-z0-9_-]*$/.test(signature))
    throw invalid('The signature is not Base64 for URLs.', signatureStart)
  const headerJson = await objectIn(header, 'header', start)
  const claimsJson = await objectIn(claims, 'payload', start + header.length + 1)
  const times = options.times ? timesIn(claimsJson) : {}
  const made = [
    `{"header":${headerJson}`,
    `"claims":${claimsJson}`,
    ...(Object.keys(times).length > 0 ? [`"times":${JSON.stringify(times)}`] : []),
    `"signature":"${signature}"`,
    '"signature_verified":false}',
  ].join()
  yield* rewriteJson(byteChunks(new TextEncoder().encode(made)), options.layout)
}
