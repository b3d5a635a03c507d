import type { z } from 'zod'
import { indentOf, type optionalIndentOption } from '../json/layout-options.js'
import { rewriteJson } from '../json/rewrite-json.js'
import { ToolInputError } from '../tool.js'
import { byteChunks, wholeBytes, wholeText } from '../whole-input.js'
import { tokenIn } from './bearer-token.js'
import { decodeBase64 } from './decode-base64.js'

/** Longer than any server takes in a header. */
const charactersMax = 1_048_576

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

/** Writes the header and the claims of a token as JSON. */
export async function* decodeJwt(
  input: AsyncIterable<Uint8Array>,
  options: { readonly indent: z.output<typeof optionalIndentOption> },
): AsyncGenerator<Uint8Array> {
  const text = await wholeText(input)
  const { token, start } = tokenIn(text)
  if (token.length > charactersMax)
    throw invalid(`The token is longer than ${charactersMax} characters.`, charactersMax)
  const parts = token.split('.')
  if (parts.length === 5)
    throw new ToolInputError('jwt_encrypted', 'The token is encrypted: only who has its key can read it.')
  const [header = '', claims = '', signature = ''] = parts
  if (parts.length !== 3)
    throw invalid(`A token has three parts, with dots between them; this text has ${parts.length}.`, start)
  const signatureStart = start + header.length + claims.length + 2
  if (!/^[A-Za-z0-9_-]*$/.test(signature))
    throw invalid('The signature is not Base64 for URLs.', signatureStart)
  const made = [
    `{"header":${await objectIn(header, 'header', start)}`,
    `"claims":${await objectIn(claims, 'payload', start + header.length + 1)}`,
    `"signature":"${signature}"`,
    '"signature_verified":false}',
  ].join()
  const indent = indentOf(options.indent)
  yield* rewriteJson(byteChunks(new TextEncoder().encode(made)), { indent, finalNewline: indent !== null })
}
