import { describe, expect, it } from 'vitest'
import { findSeparator, oneColumn } from './find-separator.js'

const found = (text: string) => findSeparator(Buffer.from(text))
const separatorIn = (text: string): string | null => {
  const { separator } = found(text)
  return separator === null || separator === oneColumn ? null : String.fromCharCode(separator)
}

describe('the separator of CSV', () => {
  it.each([
    ['is the only one that occurs', 'a;b\n1;2\n', ';'],
    ['may follow each row of data', 'T;E1;E2\r\n10:00;1;1;\r\n10:01;1;0;\r\n', ';'],
    ['may be missing in short rows', 'a|b|c\n1\n2|3|4\n5|6\n', '|'],
    ['is that of the header, not the decimal comma of the rows', 'n;v;w\na;1,5;2,5\nb;3,5;4,5\n', ';'],
    ['is not a comma in texts', 'id\tnote\n1\tHello, you\n2\tno\n', '\t'],
    ['is not within quotes', '"a;x","b"\n"1;2","3"\n', ','],
    ['is not within quotes, if it is there in each row', 'x,"a;b"\n1,"2;3"\n4,"5;6"\n', ','],
    ['is the one that more rows fit', `a;b,c\n${'1;2,3\n'.repeat(5)}1;2\n4;5,6,7\n`, ';'],
    ['is behind a title', 'Report, 2026\na;b;c\n1;2;3\n4;5;6\n7;8;9\n', ';'],
    ['is found in a header alone', 'a;b\n', ';'],
    ['is found with a quote that is wrong', 'a;b,x\n1;"He said "hi" to"\n2;3\n4;5\n', ';'],
    ['is found where the sample cuts the first row', `${'c;'.repeat(40_000)}\n`, ';'],
  ])('%s: %j', (_name, text, separator) => expect(separatorIn(text)).toBe(separator))

  it.each([
    ['a,b;c\n1,2;3\n', [',', ';']],
    ['City, State\tName\nRome, IT\tAda\n', [',', '\t']],
    ['note\nHello, you\nHi\nBye\n', [',']],
    ['one\ntwo, three; four\nfive\n', [',', ';']],
  ])('is unclear in %j', (text, candidates) => {
    expect(found(text)).toMatchObject({ separator: null })
    expect(found(text).candidates.map((one) => String.fromCharCode(one))).toEqual(candidates)
  })

  it('is none in a file of one column, and in an empty one', () => {
    for (const text of ['', '\n', 'a\nb\n', '\ufeff']) expect(found(text).separator).toBe(oneColumn)
  })

  it.each([
    ['sep=;\r\nName;v\r\na;1,5\r\n', ';', 7],
    ['\ufeffSEP=,\na,b\n', ',', 9],
    ['sep=^\ra^b\r', '^', 6],
    ['sep=\t', '\t', 5],
  ])('is what the first line of %j says', (text, separator, start) => {
    expect([separatorIn(text), found(text).start, found(text).isDeclared]).toEqual([separator, start, true])
  })

  it.each(['sep=\n', 'sep=ab\n', 'sep=a\n', 'sep="\n', 'sep=;;\n', 'sept=;\n', ' sep=;\n'])(
    'is not said by %j',
    (text) => expect(found(text).isDeclared).toBe(false),
  )

  it('is named by a byte that the sample cuts no more than once', () => {
    const text = `a,b\n${'1,2\n'.repeat(40_000)}`
    expect(found(text)).toMatchObject({ separator: 0x2c, misfits: 0 })
  })
})
