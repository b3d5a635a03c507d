import { describe, expect, it } from 'vitest'
import { firstView, suitableViews, viewsOfPlace } from './suitable-views.js'

const csv = { kind: 'csv', table: { source: 'csv', pointer: '/csv' } } as const
const sql = { kind: 'text', table: null } as const
const items = { kind: 'json', table: { source: 'objects', pointer: '/items' } } as const
const settings = { kind: 'json', table: null } as const

it.each([
  ['CSV', csv, 'table', ['text', 'table', 'raw']],
  ['a lone text', sql, 'text', ['text', 'raw']],
  ['an array of objects', items, 'table', ['text', 'tree', 'table', 'raw']],
  ['other JSON', settings, 'tree', ['text', 'tree', 'raw']],
] as const)('%s is offered the views that suit it, and the best one first', (_what, document, first, all) => {
  expect(firstView(document)).toBe(first)
  expect(suitableViews(document)).toEqual(all)
})

describe('a place', () => {
  it('is shown in the open view if it can', () => {
    const place = { kind: 'pointer', pointer: '/items/4' } as const
    expect(viewsOfPlace(place, items, 'text')).toEqual(['text', 'tree', 'table'])
    expect(viewsOfPlace(place, items, 'raw')).toEqual(['tree', 'table', 'text'])
  })

  it('is never looked for in a view that the document is not offered', () => {
    expect(viewsOfPlace({ kind: 'pointer', pointer: '/csv' }, csv, null)).toEqual(['table', 'text'])
    expect(viewsOfPlace({ kind: 'cell', row: 1, column: 1 }, settings, null)).toEqual([])
  })

  it('that is a line is one of the text that it was counted in', () => {
    expect(viewsOfPlace({ kind: 'line', line: 3 }, items, 'table')).toEqual(['text'])
    expect(viewsOfPlace({ kind: 'line', line: 3, form: 'sent' }, items, 'text')).toEqual(['raw'])
  })
})
