import { expect, it } from 'vitest'
import { looksLikeCsv } from './looks-like-csv.js'

const looks = (text: string): boolean => looksLikeCsv(new TextEncoder().encode(text))

it.each([
  'a,b\n1,2\n',
  'a,b,\n1,2,\n3,4,\n',
  'T;E1;E2\n10:00;1;1;\n10:01;1;0;\n',
  '\ufeffa\tb\n1\t2\n',
  'sep=;\na;b\n',
  'a|b\n1|2\n',
  '"a","b, c"\n"1","2, 3"\n',
  '\n\na,b\n1,2\n',
  `a,b\n${'1,2\n'.repeat(30)}short\n`,
])('%j looks like a table', (text) => {
  expect(looks(text)).toBe(true)
})

it.each([
  '',
  'a,b',
  'one\ntwo\n',
  'Dear John,\nThanks,',
  'int a;\nint b;\nint c;\n',
  'First, there is this.\nThen, there is that.',
  '| a | b |\n| --- | --- |\n| 1 | 2 |\n',
  '{"a":1,"b":2}\n{"a":3,"b":4}\n',
  '[1,2]\n[3,4]\n',
  'a,b;c\n1,2;3\n',
  `a,b\n${'1,2\n'.repeat(30)}${'nothing of the kind\n'.repeat(30)}`,
])('%j looks like none', (text) => {
  expect(looks(text)).toBe(false)
})
