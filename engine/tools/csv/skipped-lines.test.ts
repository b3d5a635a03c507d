import { describe, expect, it } from 'vitest'
import { cutEvery } from '#libs/testing/cut.js'
import { compare } from '../../compare/compare.js'
import { runOnText, runTool } from '../testing/run-tool.js'
import { csvFormat } from './csv-format.js'
import { csvToJson } from './csv-to-json.js'

describe('comments and skipped lines', () => {
  const rows = async (text: string, options: object): Promise<unknown> => {
    const json = await runTool(csvToJson, cutEvery(Buffer.from(text), 3), { header: false, ...options })
    return JSON.parse(Buffer.from(json).toString())
  }
  const table = [
    ['a', 'b'],
    ['1', '2'],
  ]

  it.each([
    ['# one, two; "three\na,b\n# four\n1,2\n#', { comment: '#' }],
    ['#\r\n#\r#x\na,b\r\n#\r\n1,2\r\n# end', { comment: '#' }],
    [';x\na,b\n;y\n1,2\n', { comment: ';' }],
    ['\ufeff!x\na;b\n1;2\n', { comment: '!' }],
    ['Report "of 2026\n\na,b\n1,2\n', { skip: 2 }],
    ['x\ry\r\nz\na,b\n1,2\n', { skip: 3 }],
    ['\ufeffx\nsep=;\na;b\n1;2\n', { skip: 1 }],
    ['x\n# y\na,b\n1,2\n', { skip: 1, comment: '#' }],
    [`${'x'.repeat(200_000)}\na;b\n1;2\n`, { skip: 1 }],
  ])('%.40j with %o', async (text, options) => {
    expect(await rows(text, options)).toEqual(table)
  })

  it.each([
    [
      'a,b\n1, #2\n',
      { comment: '#' },
      [
        ['a', 'b'],
        ['1', ' #2'],
      ],
    ],
    [
      'a,b\n"#1",2\n',
      { comment: '#' },
      [
        ['a', 'b'],
        ['#1', '2'],
      ],
    ],
    [
      'a,b\n"1\n#2",3\n',
      { comment: '#' },
      [
        ['a', 'b'],
        ['1\n#2', '3'],
      ],
    ],
    ['a\n', { skip: 5 }, []],
    [
      'a,b\n#1,2\n',
      {},
      [
        ['a', 'b'],
        ['#1', '2'],
      ],
    ],
  ])('%j with %o leaves cells as they are', async (text, options, cells) => {
    expect(await rows(text, options)).toEqual(cells)
  })

  it('a mistake behind them has its place in the whole input', async () => {
    const text = 'Report\nü\nsep=;\n# x\na;b\n1; "2"\n'
    await expect(rows(text, { skip: 2, comment: '#' })).rejects.toMatchObject({
      position: { line: 6, column: 4, offset: Buffer.from(text).indexOf('"') },
    })
  })

  it.each(['##', 'x', ' ', '"', 'ü'])('%j begins no comments', async (comment) => {
    await expect(rows('a\n', { comment })).rejects.toThrow('must be one character of ASCII')
  })

  it('are left out where tables are compared', () => {
    const one = Buffer.from('Report of Monday\n# 1\nid,n\n1,"x" y\n')
    const other = Buffer.from('Report of Tuesday\nid,n\n# 2\n1,"x" z\n')
    const options = { as: 'csv', skip: 1, comment: '#', quotes: 'lenient' } as const
    expect(compare(one, other, options).changes).toEqual([
      { op: 'replace', pointer: '/0/n', from: '"x" y', to: '"x" z', key: '1', column: 'n' },
    ])
    expect(() => compare(one, other, { as: 'csv', skip: 1, comment: '#' })).toThrow('line 4, column 6')
  })

  it('what separates cells begins no comments, in tools and comparisons', async () => {
    await expect(rows('a;b\n;1\n', { comment: ';', separator: 'semicolon' })).rejects.toMatchObject({
      code: 'csv_comment_unclear',
    })
    const [one, other] = [Buffer.from('sep=;\na;b\n;1\n'), Buffer.from('sep=;\na;b\n;2\n')]
    expect(() => compare(one, other, { as: 'csv', comment: ';' })).toThrow('separates cells, too')
  })

  it('a cell that would begin one gets quotes', async () => {
    expect(await runOnText(csvFormat, 'a,b\n"#1",#2\n', { comment: '#' })).toBe('a,b\n"#1",#2\n')
  })
})
