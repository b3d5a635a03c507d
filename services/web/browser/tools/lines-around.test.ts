import { describe, expect, it } from 'vitest'
import { type FileReading, linesAround } from './lines-around.js'

const rows = Array.from({ length: 5_000 }, (_, index) => `${index + 1};größe €`)
const text = rows.join('\n')
const latin = (written: string): Buffer => Buffer.from(written.replaceAll('€', '$'), 'latin1')

/** Where a line begins in the text as UTF-8. */
function placeOf(written: string, line: number): { offset: number; line: number } {
  const before = written.split('\n').slice(0, line - 1)
  return { line, offset: before.reduce((sum, row) => sum + Buffer.byteLength(row) + 1, 0) }
}

describe('the lines around a place', () => {
  it.each<[string, Buffer, string, Partial<FileReading>]>([
    ['UTF-8', Buffer.from(text), text, {}],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${text}`, 'utf16le'), text, {}],
    ['UTF-16 that is named', Buffer.from(text, 'utf16le'), text, { encoding: 'utf-16le' }],
    ['Windows-1252', latin(text), text.replaceAll('€', '$'), { encoding: 'windows-1252' }],
    [
      'XML that declares its encoding',
      latin(`<?xml version="1.0" encoding="ISO-8859-1"?>\n${text}`),
      `<?xml version="1.0" encoding="ISO-8859-1"?>\n${text.replaceAll('€', '$')}`,
      { isXml: true },
    ],
  ])('of a file in %s have the numbers that they have in its text', async (_name, bytes, read, reading) => {
    for (const line of [1, 2, 300, 2_500, 5_000]) {
      const place = placeOf(read, line)
      const found = await linesAround(new Blob([new Uint8Array(bytes)]), place, {
        encoding: 'auto',
        isXml: false,
        ...reading,
      })
      expect(found.lines[line - found.first]).toBe(read.split('\n')[line - 1])
      expect(found.lines.length).toBeLessThanOrEqual(200)
    }
  })

  it('include it among hundreds of short lines', async () => {
    const short = 'a\n'.repeat(3_000)
    const found = await linesAround(new Blob([short]), placeOf(short, 2_000), {
      encoding: 'auto',
      isXml: false,
    })
    expect([found.first, found.lines.length]).toEqual([1_900, 200])
  })

  it('end before a character that is not in the encoding', async () => {
    const bytes = Buffer.concat([Buffer.from(text, 'utf16le'), Buffer.from([0, 0xd8, 0x61, 0])])
    const place = placeOf(text, 5_000)
    const found = await linesAround(new Blob([new Uint8Array(bytes)]), place, {
      encoding: 'utf-16le',
      isXml: false,
    })
    expect(found.lines[4_980 - found.first]).toBe(rows[4_979])
  })
})
