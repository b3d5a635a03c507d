import type { IncomingMessage } from 'node:http'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DomainError } from '#libs/core/domain-error.js'
import type { ByteSource } from './body-bytes.js'
import { rawKindOf, textAsData, textIn } from './raw-body.js'

function sourceOf(chunks: readonly Uint8Array[]): ByteSource {
  const left = chunks.map((chunk) => Buffer.from(chunk))
  return { next: async () => left.shift() ?? null, stop: () => {} }
}

async function readAll(source: ByteSource): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let part = await source.next(); part !== null; part = await source.next()) parts.push(part)
  return Buffer.concat(parts)
}

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  let at = 0
  for (const size of sizes) {
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return [...chunks, bytes.subarray(at)]
}

const cuts = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 30 })

/**
 * Where a byte-by-byte decoder stops: the length of the text if its last character is cut off; `null` if it is valid.
 */
function referenceOffset(bytes: Buffer): number | null {
  const whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    whole.decode(bytes)
    return null
  } catch {
    // The longest prefix of whole characters.
    let end = bytes.length
    for (; end > 0; end -= 1) {
      try {
        new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, end))
        break
      } catch {}
    }
    return end
  }
}

describe('a text that becomes a member of data', () => {
  it('is the same text once the JSON is parsed, however it is chunked', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string(),
        cuts,
        async (text, key, sizes) => {
          const json = await readAll(textAsData(sourceOf(cut(Buffer.from(text), sizes)), key))
          expect(JSON.parse(json.toString())).toEqual(JSON.parse(JSON.stringify({ [key]: text })))
          expect(json.equals(Buffer.from(JSON.stringify({ [key]: text })))).toBe(true)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('keeps every byte below 128, a byte order mark and NUL', async () => {
    const text = `\ufeff${Array.from({ length: 128 }, (_none, byte) => String.fromCharCode(byte)).join('')}`
    const json = await readAll(textAsData(sourceOf([Buffer.from(text)]), 'text'))
    expect(JSON.parse(json.toString()).text).toBe(text)
  })

  it('is rejected where it stops being UTF-8', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.array(
        fc.constantFrom(0x41, 0x80, 0xbf, 0xc0, 0xc3, 0xe2, 0x82, 0xac, 0xed, 0xa0, 0xf0, 0x9f, 0xf5),
        { maxLength: 9 },
      ),
    )
    await fc.assert(
      fc.asyncProperty(bytes, cuts, async (list, sizes) => {
        const body = Buffer.from(list)
        const offset = referenceOffset(body)
        const outcome = await readAll(textAsData(sourceOf(cut(body, sizes)), 'text')).catch(
          (error: DomainError) => error,
        )
        if (offset === null) expect(outcome).toBeInstanceOf(Buffer)
        else expect(outcome).toMatchObject({ code: 'malformed_text', details: { offset } })
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('the type of a raw upload', () => {
  const kindIn = (encoding: string | null, ...types: string[]) =>
    rawKindOf(
      {
        headersDistinct: types.length === 0 ? {} : { 'content-type': types },
      } as unknown as IncomingMessage,
      encoding,
    )
  const kindOf = (...types: string[]) => kindIn(null, ...types)

  it.each([
    'text/csv',
    'text/plain',
    'TEXT/Markdown; variant=GFM; charset=UTF-8',
    'text/html;charset=utf-8',
    'text/x-anything; charset="us-ascii"',
    'application/octet-stream',
    'application/xml',
    'application/atom+xml',
    'application/yaml',
    'application/x-ndjson',
    'application/sql',
  ])('%s is text', (type) => expect(kindOf(type)).toBe('text'))

  it('defaults to text, as sent by curl -T', () => expect(kindOf()).toBe('text'))

  it('of data is JSON', () => {
    expect(kindOf('application/vnd.snipkeep.data+json')).toBe('data')
    expect(kindOf('application/vnd.snipkeep.data+json; charset=utf-8')).toBe('data')
  })

  it.each([
    'text/csv; charset=utf-16',
    'text/plain; charset=iso-8859-1',
    'text/plain; charset=utf-7',
    'application/vnd.snipkeep.data+json; charset=utf-32',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'image/png',
    'application/pdf',
    'application/gzip',
    'application/json',
    'application/vnd.api+json',
    'text',
    '*/*',
    '',
  ])('%j is not accepted', (type) => expect(kindOf(type)).toBeNull())

  it('may have any charset if the encoding is named beside it, but for data and other types', () => {
    for (const type of ['text/csv', 'application/xml']) {
      expect(kindIn('windows-1252', `${type}; charset=windows-1252`)).toBe('text')
      expect(kindIn('auto', `${type}; charset=utf-16`)).toBe('text')
      expect(kindIn('utf-8', `${type}; charset=windows-1252`)).toBeNull()
    }
    expect(kindIn('windows-1252', 'image/png; charset=windows-1252')).toBeNull()
    expect(kindIn('windows-1252', 'application/vnd.snipkeep.data+json; charset=windows-1252')).toBeNull()
  })

  it('given twice is invalid', () => expect(kindOf('text/csv', 'text/plain')).toBeNull())
})

describe('a text in another encoding', () => {
  const utf16 = Buffer.from('\ufeffid,größe\n😀,"x"\n', 'utf16le')

  it('becomes data in UTF-8, however it is chunked', async () => {
    const inputs = [
      [utf16, 'auto', 'id,größe\n😀,"x"\n'],
      [utf16, 'utf-16le', 'id,größe\n😀,"x"\n'],
      [Buffer.from([0xff, 0xfe, 0, 0, 0xe9, 0, 0, 0]), 'auto', 'é'],
      [Buffer.from([0, 1, 0xf6, 0]), 'utf-32be', '😀'],
      [Buffer.from('K\xf6ln \x80\n', 'latin1'), 'windows-1252', 'Köln €\n'],
      [Buffer.from([0x83, 0x65]), 'shift_jis', 'テ'],
      [Buffer.from('as it is: é'), 'auto', 'as it is: é'],
      [Buffer.from('\ufeffé\0'), 'utf-8', '\ufeffé\0'],
      [Buffer.alloc(0), 'auto', ''],
    ] as const
    for (const [bytes, encoding, expected] of inputs)
      for (const size of [1, 3, 1_000]) {
        const chunks = cut(
          bytes,
          Array.from({ length: Math.ceil(bytes.length / size) }, () => size),
        )
        const json = await readAll(textAsData(textIn(sourceOf(chunks), encoding), 'csv'))
        expect(JSON.parse(json.toString())).toEqual({ csv: expected })
      }
  })

  it('is refused where it is not in that encoding, with the place', async () => {
    const wrong = textIn(sourceOf([Buffer.from([0x41, 0x0a, 0xff])]), 'shift_jis')
    await expect(readAll(wrong)).rejects.toMatchObject({
      code: 'malformed_text',
      message: 'The text is not shift_jis.',
      details: { line: 2, column: 1, offset: 2 },
    })
    const unmarked = textIn(sourceOf([Buffer.from('a,b\n', 'utf16le')]), 'auto')
    await expect(readAll(unmarked)).rejects.toMatchObject({
      code: 'malformed_text',
      message: expect.stringContaining('encoding=utf-16le'),
    })
  })
})
