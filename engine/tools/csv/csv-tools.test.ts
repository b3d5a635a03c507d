import { describe, expect, it } from 'vitest'
import { cutEvery } from '#libs/testing/cut.js'
import { OutputBuffer } from '../output-buffer.js'
import { runOnText, runTool } from '../testing/run-tool.js'
import { csvFormat } from './csv-format.js'
import { csvToJson } from './csv-to-json.js'
import { jsonToCsv } from './json-to-csv.js'
import { convertRows } from './read-csv.js'

describe('an object of objects as rows', () => {
  it.each([
    [
      '{"1":{"n":"Hidden","d":0},"2":{"n":"Auto","d":1},"3":{"n":"Form","d":0}}',
      {},
      'key,n,d\n1,Hidden,0\n2,Auto,1\n3,Form,0\n',
    ],
    ['{"a":{},"b":{"x":1.50}}', {}, 'key,x\na,\nb,1.50\n'],
    ['{}', {}, ''],
    ['{"a":{"key":1},"a":{"key":2}}', {}, 'key,key\na,1\na,2\n'],
    ['{"a,b":{"x":{"y":1}},"\\u0062":{"x":null}}', { nested: 'dots' }, 'key,x.y,x\n"a,b",1,\nb,,\n'],
    ['{"":{"x":"{}"}}', { header: false }, ',{}\n'],
  ])('of %j', async (json, options, csv) => {
    expect(await runOnText(jsonToCsv, json, { rows: 'members', ...options })).toBe(csv)
  })

  it.each(['[{}]', '1', '{"a":1}', '{"a":{},"b":[1]}'])('%j is refused', async (json) => {
    await expect(runOnText(jsonToCsv, json, { rows: 'members' })).rejects.toMatchObject({ code: 'not_rows' })
  })
})

describe('CSV', () => {
  it.each([
    ['a,b\n1', '[\n{"a":"1"}\n]\n'],
    ['a\n1,2,3\n', '[\n{"a":"1","column 2":"2","column 3":"3"}\n]\n'],
    ['a,a\n1,2\n', '[\n{"a":"1","a":"2"}\n]\n'],
    ['\ufeffa,b\n\n1,x"y"\r\n\r\n', '[\n{"a":"1","b":"x\\"y\\""}\n]\n'],
    ['\ufeff"a",b\n1,2\n', '[\n{"a":"1","b":"2"}\n]\n'],
    ['size,b\n5" pipe,\n', '[\n{"size":"5\\" pipe","b":""}\n]\n'],
    ['T;E1\r\n10:00;1;\r\n10:01;0;\r\n', '[\n{"T":"10:00","E1":"1"},\n{"T":"10:01","E1":"0"}\n]\n'],
    ['a,b\n1,2,,4\n5,6,"",\n', '[\n{"a":"1","b":"2","column 4":"4"},\n{"a":"5","b":"6"}\n]\n'],
    ['\ufeffsep=;\r\nn;v\r\na;1,5\r\n', '[\n{"n":"a","v":"1,5"}\n]\n'],
    ['note\none\ntwo\n', '[\n{"note":"one"},\n{"note":"two"}\n]\n'],
    ['a,b\n', '[]\n'],
    ['', '[]\n'],
    ['a\n""\n', '[\n{"a":""}\n]\n'],
    ['a\n"\u0001\t\\"\n', '[\n{"a":"\\u0001\\t\\\\"}\n]\n'],
  ])('%j becomes JSON', async (text, expected) => {
    expect(await runOnText(csvToJson, text)).toBe(expected)
  })

  it('has its separator found, in chunks of any size', async () => {
    for (const separator of [',', ';', '\t', '|']) {
      const text = Buffer.from(`a${separator}b\n`.repeat(10_000))
      const made = await runTool(csvToJson, cutEvery(text, 9_973), { header: false })
      expect(JSON.parse(Buffer.from(made).toString())).toEqual(
        Array.from({ length: 10_000 }, () => ['a', 'b']),
      )
    }
  })

  it('only takes cells for numbers that are spelled like one and have no quotes', async () => {
    const cells = [
      '1',
      '-0',
      '1.50',
      '2e+3',
      '12345678901234567890',
      '01',
      '+1',
      '.5',
      '1.',
      '1e',
      '0x1',
      ' 1',
      '-',
      '"1"',
      '',
    ]
    const made = await runOnText(csvToJson, `${cells.join(',')}\n`, {
      header: false,
      types: 'numbers',
      separator: 'comma',
    })
    expect(made).toBe(
      '[\n[1,-0,1.50,2e+3,12345678901234567890,"01","+1",".5","1.","1e","0x1"," 1","-","1",""]\n]\n',
    )
  })

  it('cells of any length pass', async () => {
    const long = 'é"\n'.repeat(100_000)
    const text = `a,b\n1,"${long.replaceAll('"', '""')}"\n`
    const made = await runTool(csvFormat, cutEvery(Buffer.from(text), 65_536))
    expect(Buffer.from(made).toString()).toBe(text)
  })

  it('cells that spreadsheets run are guarded, numbers are not', async () => {
    const text = 'x\n=1\n+1\n-1\n-1e5\n@a\n"\t"\n"=a,b"\n'
    expect(await runOnText(csvFormat, text, { guard: true, from: 'comma' })).toBe(
      "x\n'=1\n'+1\n-1\n-1e5\n'@a\n'\t\n\"'=a,b\"\n",
    )
  })

  it('says what is wrong', async () => {
    await expect(runOnText(csvToJson, 'a,b\n1,"x\ny')).rejects.toMatchObject({
      code: 'csv_quote_open',
      message: 'The quote that opens this cell is never closed.',
      position: { offset: 6, line: 2, column: 3 },
    })
    await expect(runOnText(csvFormat, 'a,b\n', { columns: ['a', 'c'] })).rejects.toMatchObject({
      code: 'column_unknown',
    })
    for (const size of [1, 2, 3, 100])
      await expect(
        runTool(csvToJson, cutEvery(Buffer.from([0x61, 0x0a, 0xc3, 0xa9, 0xe9, 0x0a]), size)),
      ).rejects.toMatchObject({
        code: 'not_utf8',
        position: { offset: 4, line: 2, column: 2 },
      })
    await expect(runTool(csvToJson, [Buffer.from([0x61, 0xe2, 0x82])])).rejects.toMatchObject({
      code: 'not_utf8',
    })
    for (const text of ['1', '[1]', '[[1],{}]', '[{},null]'])
      await expect(runOnText(jsonToCsv, text), text).rejects.toMatchObject({ code: 'not_rows' })
    const wide = `[{${Array.from({ length: 16_385 }, (_key, at) => `"${at}":0`).join(',')}}]`
    await expect(runOnText(jsonToCsv, wide)).rejects.toMatchObject({ code: 'too_many_columns' })
  })

  it.each([
    ['id,"é"\n1,"He said "hi" to me"\n', 'csv_after_quote', { offset: 20, line: 2, column: 13 }],
    ['"a", "b"\n"d", "e"\n', 'csv_quote_after_blank', { offset: 5, line: 1, column: 6 }],
    ['a,b\r"x\r\ny" ,2', 'csv_after_quote', { offset: 10, line: 3, column: 3 }],
    ['a,b\n"é\r",""\n"é', 'csv_quote_open', { offset: 13, line: 4, column: 1 }],
    ['sep=;\r\na;b\r\n1;"x"y\r\n', 'csv_after_quote', { offset: 17, line: 3, column: 6 }],
    ['a,b;c\n1,2;3\n', 'csv_separator_unclear', null],
    ['note\nHello, you\nHi\nBye\n', 'csv_separator_unclear', null],
  ])('%j is refused as %s, in chunks of any size', async (text, code, position) => {
    for (const tool of [csvToJson, csvFormat])
      for (const size of [1, 2, 3, 100]) {
        const made = runTool(tool, cutEvery(Buffer.from(text), size))
        await expect(made).rejects.toMatchObject({ code, position })
      }
  })

  it.each([
    [
      'a,b\n1,"say "hi" ""x"""\n2,"b"\n',
      {},
      [
        ['1', '"say "hi" ""x"""'],
        ['2', 'b'],
      ],
    ],
    ['a,b\n1, "x"\n', {}, [['1', ' "x"']]],
    ['a,b\n1, "x,y" \n', { trim: true }, [['1', 'x,y']]],
    ['a,b\n 1 2 ,"x " \t"y" \n', { trim: true }, [['1 2', '"x " \t"y"']]],
    ['a,b\n1,"x""y\n2,3', {}, [['1', '"x""y\n2,3']]],
    ['a,b\n1, "x" \n', { trim: true, quotes: 'strict' }, [['1', 'x']]],
    ['a,b\n  , \n', { trim: true, quotes: 'strict' }, [['', '']]],
    ['a,b\n1,"x" ', { trim: true, quotes: 'strict' }, [['1', 'x']]],
  ])('%j with %o keeps its cells to the letter', async (text, options, rows) => {
    for (const size of [1, 2, 3, 100]) {
      const chunks = cutEvery(Buffer.from(text), size)
      const all = { separator: 'comma', header: false, quotes: 'lenient', ...options }
      const made: unknown = JSON.parse(Buffer.from(await runTool(csvToJson, chunks, all)).toString())
      expect(made).toEqual([['a', 'b'], ...rows])
    }
  })

  it.each([
    ['{"a":1}', {}, 'a\n1\n'],
    ['[]', {}, ''],
    ['[{"a":null,"b":""},{"b":true}]', { nulls: 'text' }, 'a,b\nnull,\n,true\n'],
    ['[{"a":1,"a":2},{"a":3}]', {}, 'a,a\n1,2\n3,\n'],
    ['[{"a":1},{"\\u0061":2}]', {}, 'a\n1\n2\n'],
    ['[{"a":{"b/c":1}},{"a":{}}]', { nested: 'pointers' }, '/a/b~1c,/a\n1,\n,{}\n'],
    ['[{"a":"\\ud83d x"}]', {}, 'a\n\ufffd x\n'],
    ['[{"a":""}]', { header: false }, '""\n'],
    ['[[1.50,"x"],[],[null,{"a":[1]}]]', {}, '1.50,x\n\n,"{""a"":[1]}"\n'],
  ])('%s with %o becomes CSV', async (text, options, expected) => {
    expect(await runOnText(jsonToCsv, text, options)).toBe(expected)
  })
})

it('rows that make much of little leave before the next one is read', async () => {
  const out = new OutputBuffer()
  const piece = new Uint8Array(65_536)
  let rows = 0
  const output = convertRows(
    (async function* () {
      yield Buffer.from('a,b\n'.repeat(10_000))
    })(),
    { separator: 0x2c, isLenient: false, trims: false, comment: undefined, skippedLines: 0 },
    out,
    {
      row() {
        rows += 1
        out.putAll(piece)
      },
      end: () => {},
    },
  )
  await output[Symbol.asyncIterator]().next()
  expect(rows).toBeLessThan(5)
})

it('200,000 columns have their names, in CSV and in JSON', async () => {
  const names = Array.from({ length: 200_000 }, (_name, column) => `c${column}`)
  const text = Buffer.from(`${names.join(',')}\n${'1,'.repeat(names.length)}2\n`)
  const json = Buffer.from(await runTool(csvToJson, cutEvery(text, 65_536))).toString()
  expect(json.slice(0, 30)).toBe('[\n{"c0":"1","c1":"1","c2":"1",')
  expect(json.endsWith('"c199999":"1","column 200001":"2"}\n]\n')).toBe(true)
  const wanted = await runTool(csvFormat, cutEvery(text, 65_536), { columns: ['c199999', 'c0'] })
  expect(Buffer.from(wanted).toString()).toBe('c199999,c0\n1,1\n')
})

it('of columns with one name, those wanted come in their order, and no more than there are', async () => {
  const text = 'a,b,a,a\n1,2,3,4\n'
  expect(await runOnText(csvFormat, text, { columns: ['a', 'b', 'a'] })).toBe('a,b,a\n1,2,3\n')
  await expect(runOnText(csvFormat, text, { columns: ['b', 'b'] })).rejects.toThrow('no column "b"')
})
