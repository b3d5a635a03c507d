import { describe, expect, it } from 'vitest'
import { type ShownData, shownBytesMax, shownData, wholeCharacters } from './shown-data.js'

/** What is shown besides the whole text, of which the lines are a part. */
function linesOf({ text, ...data }: ShownData): Omit<ShownData, 'text'> {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/)
  expect(data.lines).toEqual(data.cut === 'lines' ? lines.slice(0, 200) : lines)
  return data
}

const shown = (text: string): Omit<ShownData, 'text'> =>
  linesOf(shownData(Buffer.from(text), Buffer.byteLength(text)))
/** What is shown of a text whose first 64 KiB and four bytes were read. */
const shownOfLarge = (text: string): Omit<ShownData, 'text'> =>
  linesOf(shownData(Buffer.from(text).subarray(0, shownBytesMax + 4), Buffer.byteLength(text)))

describe('shown data', () => {
  it('is a single value as text, line by line, with its key', () => {
    expect(shown('{"csv":"a,b\\n1,\\"2\\"\\r\\n\\u00e9"}')).toEqual({
      lines: ['a,b', '1,"2"', 'é'],
      cut: null,
      key: 'csv',
    })
    expect(shown(' {\n"a\\"\\u0062" :\t"\\\\" } ')).toEqual({ lines: ['\\'], cut: null, key: 'a"b' })
    expect(shown('{"":""}')).toEqual({ lines: [''], cut: null, key: '' })
  })

  it('is anything else as sent', () => {
    const texts = [
      '{}',
      '{"n":1.0,"m":1e400}',
      '{"n":12345678901234567890}',
      '{"a":"x","a":"y"}',
      '{"a":"x","b":1}',
      '{"a":["x"]}',
      '{"a":null}',
      '{"a":{"b":"x"}}',
    ]
    for (const text of texts) expect(shown(text), text).toEqual({ lines: [text], cut: null, key: null })
  })

  it('is the JSON text if a key is unsuitable for a link', () => {
    for (const key of ['k'.repeat(201), '\\ud800']) {
      const text = `{"${key}":"x"}`
      expect(shown(text), text).toEqual({ lines: [text], cut: null, key: null })
    }
    expect(shown(`{"${'k'.repeat(200)}":"x"}`).key).toBe('k'.repeat(200))
  })

  it('is invalid JSON unchanged, should storage contain it', () => {
    for (const text of ['', '{"a":"\n"}', '{"a":"\\x"}', '{"a":"', 'null', '\u0000']) {
      expect(shown(text).lines.join('\n'), text).toBe(text)
    }
  })

  it('is all of 64 KiB, and a part of one byte more', () => {
    const exact = `{"v":["${'x'.repeat(shownBytesMax - 10)}"]}`
    expect(exact).toHaveLength(shownBytesMax)
    expect(shown(exact)).toEqual({ lines: [exact], cut: null, key: null })
    expect(shownOfLarge(`${exact} `)).toEqual({ lines: [exact], cut: 'bytes', key: null })
  })

  it('is at most 200 lines', () => {
    expect(shown(JSON.stringify({ text: 'x\n'.repeat(199) }))).toMatchObject({ cut: null })
    const cut = shown(JSON.stringify({ text: 'x\n'.repeat(200) }))
    expect([cut.lines.length, cut.cut]).toEqual([200, 'lines'])
  })

  it('is the beginning of a large first string, decoded', () => {
    const row = 'ä,€,😀\n'
    const { lines, cut, key } = shownOfLarge(JSON.stringify({ csv: row.repeat(10_000) }))
    expect([cut, key, lines.length]).toEqual(['lines', 'csv', 200])
    expect(new Set(lines)).toEqual(new Set(['ä,€,😀']))
  })

  it('is the text as sent if the first string of a large document has ended', () => {
    const text = JSON.stringify({ name: 'x', csv: 'y'.repeat(100_000) })
    expect(shownOfLarge(text)).toEqual({ lines: [text.slice(0, shownBytesMax)], cut: 'bytes', key: null })
  })

  it('ends before an escape or a character that is cut, wherever the cut falls', () => {
    const value = '\\ud83d\\ude00\\n\\\\\\u00e9€😀'
    const decoded = '😀\n\\é€😀'
    for (let shift = 0; shift < Buffer.byteLength(value); shift += 1) {
      const filler = 'x'.repeat(shownBytesMax - 6 - shift)
      const { lines, key } = shownOfLarge(`{"v":"${filler}${value}${'y'.repeat(100)}"}`)
      const end = lines.join('\n').slice(filler.length)
      expect(key, `${shift}`).toBe('v')
      expect(decoded.startsWith(end), `${shift}: ${end}`).toBe(true)
      expect(end.isWellFormed(), `${shift}`).toBe(true)
    }
  })
})

it('a prefix never cuts a character', () => {
  const bytes = Buffer.from('aé€😀z')
  for (let limit = 0; limit <= bytes.length; limit += 1) {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(wholeCharacters(bytes, limit))
    expect('aé€😀z'.startsWith(text)).toBe(true)
    expect(Buffer.byteLength(text)).toBeGreaterThan(limit - 4)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit)
  }
})
