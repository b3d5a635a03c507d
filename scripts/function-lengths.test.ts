import { describe, expect, it } from 'vitest'
import { functionLengths } from './code-conventions.js'

const five = 'work()\n'.repeat(5)

describe('functionLengths', () => {
  it('counts a function from its first line to its last', () => {
    expect(functionLengths(`const before = 1\nfunction a() {\n${five}}\n`)).toEqual([
      { name: 'a', line: 2, ownLines: 7 },
    ])
  })

  it('counts the lines of a nested function only for that one', () => {
    const lengths = functionLengths(`function a() {\n${five}const b = () => {\n${five}}\n}\n`)
    expect(lengths.map(({ ownLines }) => ownLines)).toEqual([7, 8])
  })

  it('treats the methods that a factory returns as separate functions', () => {
    const lengths = functionLengths(
      `function store() {\n  return {\n    a() {\n${five}},\n    b() {\n${five}},\n  }\n}\n`,
    )
    expect(lengths.map(({ name, ownLines }) => [name, ownLines])).toEqual([
      ['a', 7],
      ['b', 7],
      ['store', 3],
    ])
  })

  it('counts a returned table as one line, and any other in full', () => {
    const table = `[\n${'  1,\n'.repeat(10)}]`
    const lengths = functionLengths(
      `function a() {\n  return ${table}\n}\nfunction b() {\n  use(${table})\n}\n`,
    )
    expect(lengths.map(({ ownLines }) => ownLines)).toEqual([3, 14])
  })
})
