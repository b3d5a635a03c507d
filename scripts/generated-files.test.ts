import { describe, expect, it } from 'vitest'
import { staleFiles } from './generated-files.js'

describe('staleFiles', () => {
  it('finds nothing when every file is up to date', () => {
    expect(staleFiles(new Map([['a', '1']]), new Map([['a', '1']]))).toEqual([])
  })

  it('names missing, left over and different files', () => {
    const generated = new Map([
      ['changed', '1'],
      ['new', '1'],
    ])
    const written = new Map([
      ['changed', '2'],
      ['old', '1'],
    ])
    expect(staleFiles(generated, written)).toEqual([
      'changed is out of date',
      'new is missing',
      'old is left over',
    ])
  })
})
