import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { cutAnywhere } from '#libs/testing/cut.js'
import { type Random, seededRandom } from '#libs/testing/random.js'
import { runOnText, runTool } from '../testing/run-tool.js'
import { base64Decode } from './base64-decode.js'
import { base64Encode } from './base64-encode.js'
import { hash } from './hash.js'
import { jwtDecode } from './jwt-decode.js'
import { urlDecode } from './url-decode.js'
import { urlEncode } from './url-encode.js'

function randomBytes(random: Random): Buffer {
  return Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256)))
}

async function eachRandomly(
  check: (bytes: Buffer, chunks: readonly Buffer[], random: Random) => Promise<void>,
): Promise<void> {
  for (let seed = 0; seed < 500; seed += 1) {
    const random = seededRandom(seed)
    const bytes = randomBytes(random)
    await check(bytes, cutAnywhere(bytes, random), random)
  }
}

describe('Base64', () => {
  it('is what Node makes of the bytes, and comes back as the bytes', () =>
    eachRandomly(async (bytes, chunks, random) => {
      const text = Buffer.from(await runTool(base64Encode, chunks))
      expect(text.toString()).toBe(bytes.toString('base64'))
      const options = { alphabet: 'url', padding: false }
      const forUrls = Buffer.from(await runTool(base64Encode, chunks, options))
      expect(forUrls.toString()).toBe(bytes.toString('base64url'))
      for (const made of [text, forUrls])
        expect(Buffer.from(await runTool(base64Decode, cutAnywhere(made, random)))).toEqual(bytes)
    }))

  it('is right when the output is transferred as it comes', async () => {
    const run = await base64Encode.load()
    const pieces: string[] = []
    async function* input(): AsyncGenerator<Uint8Array> {
      for (const piece of ['abcd', 'efgh', 'i', 'jk']) yield new TextEncoder().encode(piece)
    }
    for await (const piece of run(input()))
      pieces.push(Buffer.from(structuredClone(piece, { transfer: [piece.buffer as ArrayBuffer] })).toString())
    expect(pieces.join('')).toBe(Buffer.from('abcdefghijk').toString('base64'))
  })

  it('has lines of the length that is asked for', () =>
    eachRandomly(async (bytes, chunks, random) => {
      const lines = Buffer.from(await runTool(base64Encode, chunks, { line_length: '64' }))
      expect(lines.toString()).toBe(bytes.toString('base64').replace(/.{64}(?=.)/g, '$&\n'))
      expect(Buffer.from(await runTool(base64Decode, cutAnywhere(lines, random)))).toEqual(bytes)
    }))

  it('is decoded only if an encoder wrote it', async () => {
    let taken = 0
    for (let seed = 0; seed < 3000; seed += 1) {
      const random = seededRandom(seed)
      const text = Array.from({ length: random.below(7) }, () => random.pick([...'AQgw+/='])).join('')
      const made = await runTool(base64Decode, [Buffer.from(text)]).catch(() => null)
      if (made === null) continue
      taken += 1
      expect(Buffer.from(made).toString('base64').replace(/=+$/, '')).toBe(text.replace(/=+$/, ''))
    }
    expect(taken).toBeGreaterThan(500)
  })

  it.each([
    ['YW\nJj!A', {}, 'Base64 has no !.', 2, 3],
    ['AAA=AAAA', {}, 'Nothing may follow the padding; found A.', 1, 5],
    ['A===', {}, 'Padding comes only at the end, where it makes four characters.', 1, 2],
    ['AA=', {}, 'The padding is incomplete: one more = is needed.', 1, 4],
    ['AAAAA', {}, 'The last character stands for less than a byte.', 1, 6],
    ['AB', {}, 'The last character has bits that stand for nothing; the text may be cut.', 1, 3],
    ['-_+A', {}, '+ belongs to the standard alphabet; this text has the url one.', 1, 3],
    ['AA+A', { alphabet: 'url' }, '+ belongs to the standard alphabet; this text has the url one.', 1, 3],
    ['AAé', {}, 'Base64 has no byte 0xc3.', 1, 3],
  ])('%j is refused with its position', async (text, options, message, line, column) => {
    const failure = runOnText(base64Decode, text, options)
    await expect(failure).rejects.toMatchObject({
      code: 'base64_invalid',
      message,
      position: { line, column },
    })
  })
})

describe('encoding for URLs', () => {
  it('takes any bytes, which come back', () =>
    eachRandomly(async (bytes, chunks, random) => {
      for (const style of ['component', 'form']) {
        const text = Buffer.from(await runTool(urlEncode, chunks, { style }))
        expect(text.toString()).toMatch(/^[A-Za-z0-9\-._~%*+]*$/)
        const options = { plus_is_space: style === 'form' }
        expect(Buffer.from(await runTool(urlDecode, cutAnywhere(text, random), options))).toEqual(bytes)
      }
    }))

  it('is what URLSearchParams reads', async () => {
    const text = "a&b=c d+e'é\u0000~*%"
    const made = await runOnText(urlEncode, text, { style: 'form' })
    expect(`x=${made}`).toBe(new URLSearchParams({ x: text }).toString())
  })

  it.each([
    ['a\nb%4', 'The text ends within % and its two digits.', 2, 4],
    ['100% of', 'Two hexadecimal digits must follow %; write %25 for a % itself.', 1, 5],
  ])('%j is refused with its position', async (text, message, line, column) => {
    await expect(runOnText(urlDecode, text)).rejects.toMatchObject({ message, position: { line, column } })
  })
})

describe('a digest', () => {
  it.each(['sha-256', 'sha-384', 'sha-512', 'sha3-256', 'sha3-512', 'sha-1', 'md5'])(
    '%s is the one that Node computes',
    (algorithm) =>
      eachRandomly(async (bytes, chunks, random) => {
        const encoding = random.pick(['hex', 'base64', 'base64url'] as const)
        const made = await runTool(hash, chunks, { algorithm, encoding })
        const theirs = createHash(algorithm.replace(/^sha-(?=[135])/, 'sha').replace(/^sha-2/, 'sha2'))
        expect(Buffer.from(made).toString()).toBe(theirs.update(bytes).digest(encoding))
      }),
  )
})

describe('decoding a token', () => {
  const part = (text: string): string => Buffer.from(text).toString('base64url')

  it('shows the claims as they are spelled, and says that the signature is not verified', async () => {
    const claims = '{"exp":1.50e9,"exp":12345678901234567890,"name":"\\u00e9"}'
    const made = await runOnText(jwtDecode, ` ${part('{"alg":"none"}')}.${part(claims)}.\n`, {
      indent: 'none',
    })
    expect(made).toBe(
      `{"header":{"alg":"none"},"claims":${claims},"signature":"","signature_verified":false}`,
    )
  })

  it.each([
    'Bearer ',
    'bearer ',
    'BEARER \t',
    ' \nBearer  ',
    'Authorization: Bearer ',
    'authorization:bearer ',
  ])('leaves out %j before it', async (before) => {
    const token = `${part('{"alg":"none"}')}.${part('{"a":1}')}.x`
    expect(await runOnText(jwtDecode, `${before}${token}\n`, { indent: 'none' })).toBe(
      '{"header":{"alg":"none"},"claims":{"a":1},"signature":"x","signature_verified":false}',
    )
    await expect(runOnText(jwtDecode, `${before}a.b`)).rejects.toMatchObject({
      position: { offset: before.length },
    })
  })

  it.each(['Bearer', 'Bearer:', 'Basic ', 'Bearer Bearer '])('does not leave out %j', async (before) => {
    const token = `${part('{}')}.${part('{}')}.x`
    await expect(runOnText(jwtDecode, before + token)).rejects.toMatchObject({ code: 'jwt_invalid' })
  })

  it.each([
    ['a.b', 'jwt_invalid', 'A token has three parts, with dots between them; this text has 2.'],
    ['a.b.c.d.e', 'jwt_encrypted', 'The token is encrypted: only who has its key can read it.'],
    [`${part('{}')}.${part('[]')}.`, 'jwt_invalid', 'The payload is not a JSON object.'],
    [
      `${part('{"a":')}.${part('{}')}.`,
      'jwt_invalid',
      'The header is not JSON. The text ends before its value is complete.',
    ],
    [`${part('{}')}.e+.`, 'jwt_invalid', /^The payload is not Base64 for URLs\. \+ belongs/],
    [`${part('{}')}.${part('{}')}.a"b`, 'jwt_invalid', 'The signature is not Base64 for URLs.'],
    [part('\u0000').repeat(3_000_000), 'jwt_invalid', 'The token is longer than 4194304 characters.'],
  ])('%.40s is refused', async (text, code, message) => {
    const failure: unknown = await runOnText(jwtDecode, text).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code, message: expect.stringMatching(message) })
  })
})
