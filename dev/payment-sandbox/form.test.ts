import { expect, it } from 'vitest'
import { itemsOf, readForm, textsUnder } from './form.js'

it('parses names in brackets, and leaves other names alone', () => {
  const fields =
    readForm('metadata[a]=1&metadata[b%5D%5Bc]=2&expand[0]=x&expand[]=y&mode=subscription') ?? new Map()
  expect(fields.get('mode')).toBe('subscription')
  expect(textsUnder(fields, 'metadata')).toEqual({ a: '1', 'b][c': '2' })
  expect(itemsOf(fields, 'expand')).toEqual(['x', 'y'])
  expect(textsUnder(fields, 'meta')).toEqual({})
})

it('no name reaches a prototype', () => {
  const names = ['__proto__', 'constructor', 'toString', '__proto__][x']
  for (const name of names) {
    const fields = readForm(`metadata[${name}]=polluted&${name}=polluted`) ?? new Map()
    expect(Object.keys(textsUnder(fields, 'metadata'))).toEqual([name])
  }
  expect(({} as Record<string, unknown>).x).toBeUndefined()
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted')
})

it('a form with too many fields is rejected', () => {
  const form = (count: number) => Array.from({ length: count }, (_, n) => `f${n}=1`).join('&')
  expect(readForm(form(200))?.size).toBe(200)
  expect(readForm(form(201))).toBeNull()
})
