import { describe, expect, it } from 'vitest'
import { kinds, type Language, languageOf, languages } from '../document/kinds/kind.js'
import { codeColours } from './code-colours.js'

const never = (): boolean => false

async function tokens(language: Language, source: string): Promise<readonly string[]> {
  const colours = await codeColours(language, source, never)
  return source
    .split('\n')
    .flatMap((line, number) =>
      colours(line, number).map(({ kind, from, to }) => `${number + 1} ${kind} ${line.slice(from, to)}`),
    )
}

describe('the colours of a language', () => {
  it.each<[Language, string, readonly string[]]>([
    ['javascript', 'const a = "x" // 1', ['1 keyword const', '1 string "x"', '1 comment // 1']],
    ['typescript', 'type A = null', ['1 keyword type', '1 key A', '1 keyword null']],
    [
      'python',
      'def f(): return 1 # x',
      ['1 keyword def', '1 key f', '1 keyword return', '1 number 1', '1 comment # x'],
    ],
    ['java', 'class A { int n = 1; }', ['1 keyword class', '1 key int', '1 number 1']],
    [
      'go',
      'func f() string { return "x" }',
      ['1 keyword func', '1 key f', '1 key string', '1 keyword return', '1 string "x"'],
    ],
    ['rust', 'fn f() -> u8 { 1 }', ['1 keyword fn', '1 key f', '1 key u8', '1 number 1']],
    ['cpp', 'int f() { return 1; }', ['1 key int', '1 key f', '1 keyword return', '1 number 1']],
    ['php', '<?php echo "x";', ['1 comment <?php', '1 keyword echo', '1 string "x"']],
    ['css', 'a { width: 1px }', ['1 keyword a', '1 number 1px']],
  ])('%s', async (language, source, expected) => {
    expect(await tokens(language, source)).toEqual(expected)
  })

  it('go on over lines, whatever ends them', async () => {
    expect(await tokens('javascript', `a /* b\nc */ d\n\`e\n\${f} g\``)).toEqual([
      '1 comment /* b',
      '2 comment c */',
      '3 string `e',
      '4 string  g`',
    ])
    const colours = await codeColours('python', 'a\r\n# b\r# c\u2028# d', never)
    expect([1, 2, 3].map((line) => colours('# x', line))).toEqual(
      Array.from({ length: 3 }, () => [{ kind: 'comment', from: 0, to: 3 }]),
    )
  })

  it('stay within the characters that are shown of a line', async () => {
    const colours = await codeColours('javascript', `/* ${'x'.repeat(5_000)} */`, never)
    expect(colours('/* xx', 0)).toEqual([{ kind: 'comment', from: 0, to: 5 }])
    expect(colours(`/* ${'x'.repeat(5_000)}`, 0)).toEqual([{ kind: 'comment', from: 0, to: 2_000 }])
  })

  it('end where it gets late, and what follows stays plain', async () => {
    let asked = 0
    const source = 'const a = 1\n'.repeat(1_000)
    const colours = await codeColours('javascript', source, () => ++asked > 500)
    expect(asked).toBe(501)
    expect(colours('const a = 1', 1)).not.toEqual([])
    expect(colours('const a = 1', 999)).toEqual([])
  })

  it.each(languages)('of a text that is no %s are some, without an error', async (language) => {
    for (const source of ['', '\u0000', '}}}}', '"', '<?', '/*', '{'.repeat(2_000), 'é😀\ud800'])
      expect(await tokens(language, source)).toBeInstanceOf(Array)
  })
})

it.each([
  ['main.py', 'text', 'python'],
  ['MAIN.PY', 'text', 'python'],
  ['py', 'py', 'python'],
  ['js', 'prettier-js', 'javascript'],
  ['app.test.tsx', '', 'typescript'],
  ['lib.rs', '', 'rust'],
  ['a.h', '', 'cpp'],
  ['go', 'go', 'go'],
  // Fields of records.
  ['go', 'csv', null],
  ['c', 'json', null],
  ['java', '', null],
  ['constructor', 'constructor', null],
  ['a.constructor', '', null],
  ['notes.txt', '', null],
])('a member %s of the tool %s is %s', (name, tool, language) => {
  expect(languageOf(name, tool)).toBe(language)
})

it('every language can be chosen', () => {
  expect(kinds).toEqual(expect.arrayContaining([...languages]))
})
