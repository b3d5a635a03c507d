import { describe, expect, it } from 'vitest'
import { cutEvery } from '#libs/testing/cut.js'
import { csvToJson } from './csv/csv-to-json.js'
import { jsonFormat } from './json/json-format.js'
import { tools } from './registry.js'
import { runTool } from './testing/run-tool.js'
import { xmlFormat } from './xml/xml-format.js'
import { xmlMinify } from './xml/xml-minify.js'
import { xmlToJson } from './xml/xml-to-json.js'

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')

async function made(
  tool: Parameters<typeof runTool>[0],
  bytes: Buffer,
  options: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return Buffer.from(await runTool(tool, cutEvery(bytes, 3), options)).toString()
}

describe('CSV in an encoding of Windows', () => {
  const csv = latin1('id,city\n1,K\xf6ln\n2,100 \x80\n')

  it('is refused with the encoding that it may be in, and the place', async () => {
    await expect(made(csvToJson, csv)).rejects.toMatchObject({
      code: 'not_utf8',
      position: { line: 2, column: 4, offset: 11 },
      message: expect.stringContaining('encoding=windows-1252'),
    })
    await expect(made(csvToJson, latin1('a\n\x81\n'))).rejects.toMatchObject({
      message: 'The text is not UTF-8. Name its encoding, as in encoding=utf-16le, or save it as UTF-8.',
    })
  })

  it('is read if it is named', async () => {
    expect(JSON.parse(await made(csvToJson, csv, { encoding: 'windows-1252' }))).toEqual([
      { id: '1', city: 'Köln' },
      { id: '2', city: '100 €' },
    ])
  })

  it('has the places of mistakes in its own lines and characters', async () => {
    const wrong = latin1('\xe4,\xf6\n\xfc,"x"y\n')
    await expect(made(csvToJson, wrong, { encoding: 'windows-1252' })).rejects.toMatchObject({
      code: 'csv_after_quote',
      position: { line: 2, column: 6 },
    })
  })
})

it('"Unicode text" of Excel is read by its mark', async () => {
  const text = utf16('\ufeffid\tgröße\r\n1\t1,5\r\n')
  expect(JSON.parse(await made(csvToJson, text))).toEqual([{ id: '1', größe: '1,5' }])
  expect(await made(jsonFormat, utf16('\ufeff{"ü":1.0}'))).toBe('{\n  "ü": 1.0\n}\n')
})

describe('XML', () => {
  it.each([
    ['utf-16', utf16('\ufeff<?xml version="1.0" encoding="utf-16"?><a>é</a>')],
    ['windows-1252', latin1('<?xml version="1.0" encoding="windows-1252"?><a>\xe9</a>')],
    ['ISO-8859-1', latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>')],
    ['ISO-8859-1, in ASCII', latin1('<?xml version="1.0" encoding="iso-8859-1"?><a>&#xe9;</a>')],
    ['what it is', Buffer.from('<?xml version="1.0" encoding="UTF-8"?><a>é</a>')],
  ])('that declares %s comes out as UTF-8, and says so', async (declared, bytes) => {
    const expected = '<?xml version="1.0" encoding="UTF-8"?>'
    const shown = declared.includes('ASCII') ? '<a>&#xe9;</a>' : '<a>é</a>'
    expect(await made(xmlMinify, bytes)).toBe(`${expected}${shown}`)
    expect(await made(xmlFormat, bytes)).toBe(`${expected}\n${shown}\n`)
    expect(await made(xmlToJson, bytes)).toContain('é')
  })

  it('keeps a declaration that is right, however it is spelled, and names none of its own', async () => {
    for (const declaration of [
      `<?xml version='1.0' encoding='utf-8' standalone="yes"?>`,
      '<?xml version="1.0"?>',
      '<?xml  version="1.0"\nencoding = "UTF-8" ?>',
    ])
      expect(await made(xmlMinify, Buffer.from(`${declaration}<a/>`))).toBe(`${declaration}<a/>`)
    expect(await made(xmlMinify, Buffer.from('<a>é</a>'))).toBe('<a>é</a>')
    const single = `<?xml version='1.0' encoding='latin1' standalone='no'?><a/>`
    expect(await made(xmlMinify, Buffer.from(single))).toBe(
      `<?xml version='1.0' encoding='UTF-8' standalone='no'?><a/>`,
    )
  })

  it('that declares what its bytes contradict is refused until the encoding is named', async () => {
    for (const declared of ['windows-1252', 'utf-16', 'UTF-16LE', 'x-unheard']) {
      const bytes = Buffer.from(`<?xml version="1.0" encoding="${declared}"?><a>é</a>`)
      await expect(made(xmlFormat, bytes)).rejects.toMatchObject({
        code: 'encoding_unclear',
        message: expect.stringMatching(/encoding=utf-8; else/),
        position: { line: 1, column: 31 },
      })
      expect(await made(xmlMinify, bytes, { encoding: 'utf-8' })).toContain('encoding="UTF-8"?><a>é</a>')
    }
  })
})

it('every tool that takes text takes an encoding, and no tool that takes bytes', async () => {
  for (const { name, input, options, load } of tools) {
    const run = await load()
    const with16 = () => run((async function* () {})(), { encoding: 'utf-16le' })
    if (input.mediaType === 'application/octet-stream') expect(with16, name).toThrow()
    else {
      expect(options.shape, name).toHaveProperty('encoding')
      expect(with16, name).not.toThrow()
    }
  }
})
