import { describe, expect, it } from 'vitest'
import { functionLengths } from './function-lengths.js'

const five = 'work()\n'.repeat(5)

describe('functionLengths', () => {
  it('counts a function from its first line to its last', () => {
    expect(functionLengths(`const before = 1\nfunction a() {\n${five}}\n`)).toEqual([
      { name: 'a', line: 2, ownLines: 7 },
    ])
  })

  it('counts the lines of a nested function for that one alone', () => {
    const lengths = functionLengths(`function a() {\n${five}const b = () => {\n${five}}\n}\n`)
    expect(lengths.map(({ ownLines }) => ownLines)).toEqual([7, 8])
  })

  it('takes the methods that a factory returns as functions of their own', () => {
    const lengths = functionLengths(
      `function store() {\n  return {\n    a() {\n${five}},\n    b() {\n${five}},\n  }\n}\n`,
    )
    expect(lengths.map(({ name, ownLines }) => [name, ownLines])).toEqual([
      ['a', 7],
      ['b', 7],
      ['store', 3],
    ])
  })

  it('takes a table that is returned as a single line, and one that is worked on as it is', () => {
    const table = `[\n${'  1,\n'.repeat(10)}]`
    const lengths = functionLengths(
      `function a() {\n  return ${table}\n}\nfunction b() {\n  use(${table})\n}\n`,
    )
    expect(lengths.map(({ ownLines }) => ownLines)).toEqual([3, 14])
  })
})
