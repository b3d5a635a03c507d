import { describe, expect, it } from 'vitest'
import { cutEvery } from '#libs/testing/cut.js'
import { ToolInputError } from '../tools/tool-input-error.js'
import { encodingNames, encodingOf } from './encodings.js'
import { type EncodingChoice, utf8Of } from './utf8-of.js'

async function read(bytes: Uint8Array, choice: Partial<EncodingChoice> = {}, cut = 1): Promise<string> {
  async function* input(): AsyncGenerator<Uint8Array> {
    yield* cutEvery(Buffer.from(bytes), cut)
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of utf8Of(input(), { encoding: 'auto', isXml: false, ...choice })) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16()
const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le')
const utf16be = (text: string): Buffer => swapped(utf16le(text))
const utf32 = (text: string, isLittle: boolean): Buffer => {
  const bytes = Buffer.alloc(4 * [...text].length)
  for (const [at, character] of [...text].entries()) {
    const code = character.codePointAt(0) ?? 0
    if (isLittle) bytes.writeUInt32LE(code, 4 * at)
    else bytes.writeUInt32BE(code, 4 * at)
  }
  return bytes
}
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const text = 'id,größe\n1,"😀 €"\n2,\ufffd\n'

describe('a byte order mark names the encoding, and is no part of the text', () => {
  it.each([
    ['UTF-16LE', utf16le(`\ufeff${text}`)],
    ['UTF-16BE', utf16be(`\ufeff${text}`)],
    ['UTF-32LE', utf32(`\ufeff${text}`, true)],
    ['UTF-32BE', utf32(`\ufeff${text}`, false)],
  ])('%s', async (_name, bytes) => {
    for (const cut of [1, 2, 3, 5, 1_000]) expect(await read(bytes, {}, cut)).toBe(text)
  })

  it('text in UTF-8 stays as it is, with its mark or without', async () => {
    for (const same of [text, `\ufeff${text}`, '', 'a', 'x'.repeat(5_000)])
      for (const cut of [1, 1_024, 4_000]) expect(await read(Buffer.from(same), {}, cut)).toBe(same)
  })
})

describe('UTF-16 and UTF-32 without a mark are named, not guessed', () => {
  it.each([
    ['utf-16le', utf16le('id,n\n1,2\n')],
    ['utf-16be', utf16be('id,n\n1,2\n')],
    ['utf-16le', utf16le('größe;ü\nä;ö\n'.repeat(500))],
    ['utf-16be', utf16be('{"a":1}')],
    ['utf-16le', utf16le('<?xml version="1.0"?><a/>')],
    ['utf-32le', utf32('id,n\n1,2\n', true)],
    ['utf-32be', utf32('größe;😀\n', false)],
  ] as const)('%s', async (encoding, bytes) => {
    await expect(read(bytes, { isXml: true })).rejects.toMatchObject({
      code: 'encoding_unclear',
      message: expect.stringContaining(`encoding=${encoding}`),
    })
    const marked = Buffer.concat([markOf(encoding), bytes])
    expect(await read(bytes, { encoding })).toBe(await read(marked))
  })

  it('a text in UTF-8 may hold zeros', async () => {
    for (const same of ['\0\0', 'a\0b\0\0c', `${'a,b\n'.repeat(300)}\0`])
      expect(await read(Buffer.from(same))).toBe(same)
  })
})

function markOf(encoding: 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be'): Buffer {
  if (encoding.startsWith('utf-32')) return utf32('\ufeff', encoding === 'utf-32le')
  return Buffer.from(encoding === 'utf-16le' ? [0xff, 0xfe] : [0xfe, 0xff])
}

describe('a text in the encoding that is named', () => {
  it.each([
    ['windows-1252', [0x80, 0x92, 0x81, 0xe9, 0x41], '€’\u0081éA'],
    ['windows-1251', [0xcf, 0xf0, 0xe8], 'При'],
    ['windows-1250', [0x9e, 0xf8], 'žř'],
    ['iso-8859-15', [0xa4], '€'],
    ['shift_jis', [0x83, 0x65, 0x41], 'テA'],
    ['euc-kr', [0xb0, 0xa1], '가'],
    ['gb18030', [0xc4, 0xe3], '你'],
    ['koi8-r', [0xd0], 'п'],
    ['macintosh', [0x8a], 'ä'],
    ['utf-16be', [0xd8, 0x3d, 0xde, 0x00], '😀'],
  ] as const)('%s', async (encoding, bytes, expected) => {
    for (const cut of [1, 2, 3]) expect(await read(Uint8Array.from(bytes), { encoding }, cut)).toBe(expected)
  })

  it.each([
    ['utf-16le', [0x61, 0, 0x0a, 0, 0x62, 0, 0x00, 0xd8, 0x63, 0], 2, 2, 3],
    ['utf-16le', [0x61, 0, 0x62], 1, 2, 1],
    ['utf-16be', [0xdc, 0, 0, 0x61], 1, 1, 0],
    ['utf-16be', [0, 0xe9, 0xd8, 0], 1, 2, 2],
    ['utf-32le', [0x61, 0, 0, 0, 0x0a, 0, 0, 0, 0, 0xd8, 0, 0, 0x63, 0, 0, 0], 2, 1, 2],
    ['utf-32be', [0, 1, 0xf6, 0, 0, 0, 0xff, 0xfd, 0, 0x11, 0, 0, 0, 0, 0, 0x61], 1, 3, 7],
    ['utf-32be', [0, 0, 0, 0x61, 0, 0], 1, 2, 1],
    ['utf-32le', [0x61, 0, 0, 0, 0x62, 0], 1, 2, 1],
    ['utf-32le', [0x61, 0, 0, 0, 0xfd, 0xff], 1, 2, 1],
    ['utf-32be', [0, 0, 0, 0x61, 0, 0xff, 0xfd], 1, 2, 1],
    ['utf-16le', [0xfd, 0xff, 0x3d, 0xd8, 0x00, 0xde, 0xfd, 0xff, 0xfd], 1, 4, 10],
    ['shift_jis', [0x41, 0x0a, 0xff], 2, 1, 2],
    ['euc-jp', [0x41, 0x8e], 1, 2, 1],
  ] as const)('is %s, or is refused with its place', async (encoding, bytes, line, column, offset) => {
    for (const cut of [1, 2, 100])
      await expect(read(Uint8Array.from(bytes), { encoding }, cut)).rejects.toEqual(
        new ToolInputError('not_in_encoding', `The text is not ${encoding}.`, { offset, line, column }),
      )
  })

  it.each([
    ['utf-32le', '\ufffd'.repeat(1_048_576), (written: string) => utf32(written, true)],
    ['utf-32be', '😀\ufffd'.repeat(524_288), (written: string) => utf32(written, false)],
    ['utf-16be', '\ufffd'.repeat(2_097_152), utf16be],
  ] as const)('may be 4 MB of %s in one chunk, full of U+FFFD', async (encoding, written, encode) => {
    const bytes = encode(written)
    expect((await read(bytes, { encoding }, bytes.length)) === written).toBe(true)
  })

  it.each(['gb18030', 'gbk', 'big5', 'euc-kr'] as const)(
    'is refused where it is not %s, however it is cut',
    async (encoding) => {
      for (const wrong of [[0xfe, 0x20], [0xe1]])
        for (const cut of [1, 2, 1_000])
          await expect(
            read(Uint8Array.of(0x61, 0x0a, 0x62, ...wrong), { encoding }, cut),
          ).rejects.toMatchObject({
            code: 'not_in_encoding',
            position: { offset: 3, line: 2, column: 2 },
          })
    },
  )

  it.each([
    ['utf-16le', [0x42, 0x30], 'あ'],
    ['utf-16be', [0x30, 0x42], 'あ'],
    ['utf-32le', [0x42, 0x30, 0, 0], 'あ'],
    ['utf-32be', [0, 0, 0x30, 0x42], 'あ'],
    ['big5', [0xa4, 0xa4], '中'],
    ['euc-jp', [0xa4, 0xa2], 'あ'],
    ['euc-jp', [0x8f, 0xb0, 0xa1], '丂'],
    ['euc-kr', [0xb0, 0xa1], '가'],
    ['gb18030', [0xc4, 0xe3], '你'],
    ['gb18030', [0x81, 0x30, 0x81, 0x30], '\u0080'],
    ['gbk', [0xc4, 0xe3], '你'],
    ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x24, 0x22], 'あ', 3],
    ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x24, 0x22, 0x1b, 0x28, 0x42], 'あ', 3, 5],
    ['shift_jis', [0x83, 0x65], 'テ'],
  ] as const)(
    'may end with a character of %s, but not within one: %j',
    async (encoding, bytes, character, ...whole) => {
      for (let length = 1; length < bytes.length; length += 1) {
        const isWhole = (whole as readonly number[]).includes(length)
        for (const cut of [1, 2, 1_000]) {
          const found = read(Uint8Array.from(bytes.slice(0, length)), { encoding }, cut)
          if (isWhole) expect(await found).toBe(length > 3 ? character : '')
          else await expect(found, `${length} bytes`).rejects.toMatchObject({ code: 'not_in_encoding' })
        }
      }
      for (const cut of [1, 2, 1_000])
        expect(await read(Uint8Array.from(bytes), { encoding }, cut)).toBe(character)
    },
  )

  it('is read in every encoding there is', async () => {
    for (const encoding of encodingNames.slice(5))
      expect(await read(latin1('a,b\n1'), { encoding })).toBe('a,b\n1')
  })
})

describe('XML is in the encoding that it declares', () => {
  const xml = (encoding: string, rest: string): string =>
    `<?xml version="1.0" encoding="${encoding}"?>${rest}`

  it.each([
    ['windows-1252', '<a>é</a>'],
    ['ISO-8859-1', '<a>ü</a>'],
    ['latin1', '<a/>'],
    ['us-ascii', '<a>plain</a>'],
  ])('%s', async (encoding, rest) => {
    const written = xml(encoding, rest)
    for (const cut of [1, 7, 5_000]) expect(await read(latin1(written), { isXml: true }, cut)).toBe(written)
  })

  it('but text that can be read as ASCII is not UTF-16, and an unknown name is none', async () => {
    for (const name of ['utf-8', 'UTF8'])
      expect(await read(Buffer.from(xml(name, '<a>é</a>')), { isXml: true })).toBe(xml(name, '<a>é</a>'))
    for (const name of ['utf-16', 'UTF-16LE', 'x-unheard'])
      await expect(read(Buffer.from(xml(name, '<a/>')), { isXml: true })).rejects.toMatchObject({
        code: 'encoding_unclear',
        message: expect.stringContaining(`says ${name}`),
      })
  })

  it('a mark goes before it', async () => {
    expect(await read(utf16le(`\ufeff${xml('windows-1252', '<a>é</a>')}`), { isXml: true })).toContain('é')
  })

  it('a text that is UTF-8 by its bytes is unclear until it is named', async () => {
    const bytes = Buffer.from(xml('windows-1252', '<a>é</a>'))
    await expect(read(bytes, { isXml: true })).rejects.toMatchObject({
      code: 'encoding_unclear',
      message: expect.stringContaining(
        'write UTF-8 there or say encoding=utf-8; else say encoding=windows-1252',
      ),
    })
    expect(await read(bytes, { isXml: true, encoding: 'utf-8' })).toContain('<a>é</a>')
    expect(await read(bytes, { isXml: true, encoding: 'windows-1252' })).toContain('<a>Ã©</a>')
    expect(await read(bytes)).toContain('<a>é</a>')
  })
})

it('labels stand for encodings', () => {
  expect(['latin1', 'ISO-8859-1', 'UTF8', 'utf-16', 'sjis', 'nothing', ''].map(encodingOf)).toEqual([
    'windows-1252',
    'windows-1252',
    'utf-8',
    'utf-16le',
    'shift_jis',
    null,
    null,
  ])
})
