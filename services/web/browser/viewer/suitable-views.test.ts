import { describe, expect, it } from 'vitest'
import { firstView, suitableViews, viewsOfLink } from './suitable-views.js'

const string = { isString: true, isFormatted: false, hasTree: false, lack: null } as const
const whole = { isString: false, isFormatted: true, hasTree: true, lack: null } as const
const csv = { ...string, kind: 'csv', table: { source: 'csv', pointer: '/csv' } } as const
const single = { ...string, kind: 'text', table: null } as const
const items = { ...whole, kind: 'json', table: { source: 'objects', pointer: '/items' } } as const
const settings = { ...whole, kind: 'json', table: null } as const

it.each([
  ['CSV', csv, 'table', ['text', 'table', 'raw']],
  ['a single text', single, 'text', ['text', 'raw']],
  ['JSON in a string', { ...items, isString: true }, 'text', ['text', 'tree', 'table', 'source', 'raw']],
  [
    'JSON with comments',
    { ...items, kind: 'jsonc', isString: true },
    'text',
    ['text', 'tree', 'table', 'source', 'raw'],
  ],
  ['formatted SQL', { ...single, kind: 'sql', isFormatted: true }, 'text', ['text', 'source', 'raw']],
  ['YAML', { ...single, kind: 'yaml', hasTree: true }, 'text', ['text', 'tree', 'raw']],
  ['Markdown', { ...single, kind: 'markdown' }, 'rendered', ['rendered', 'text', 'raw']],
  ['Markdown that is too large', { ...single, kind: 'markdown', lack: 'too-large' }, 'text', ['text', 'raw']],
  ['a picture', { ...single, kind: 'image' }, 'picture', ['picture', 'raw']],
  ['a patch', { ...single, kind: 'patch' }, 'diff', ['diff', 'text', 'raw']],
  ['two sides', { ...single, kind: 'diff', isString: false }, 'diff', ['diff', 'raw']],
  ['an array of objects', items, 'table', ['text', 'tree', 'table', 'raw']],
  [
    'members',
    { ...items, table: { source: 'members', pointer: '' } },
    'tree',
    ['text', 'tree', 'table', 'raw'],
  ],
  ['other JSON', settings, 'tree', ['text', 'tree', 'raw']],
] as const)('%s is offered the views that suit it, and the best one first', (_what, document, first, all) => {
  expect(firstView(document)).toBe(first)
  expect(suitableViews(document)).toEqual(all)
})

it('the requested view is opened if the part has it', () => {
  expect(firstView(csv, 'raw')).toBe('raw')
  expect(firstView(csv, 'tree')).toBe('table')
  expect(firstView(csv, 'nonsense')).toBe('table')
})

describe('a place', () => {
  it('is shown in the open view if possible', () => {
    const place = { kind: 'pointer', pointer: '/items/4' } as const
    expect(viewsOfLink(place, items, 'text')).toEqual(['text', 'tree', 'table'])
    expect(viewsOfLink(place, items, 'raw')).toEqual(['tree', 'table', 'text'])
  })

  it('is never looked for in a view that the document does not have', () => {
    expect(viewsOfLink({ kind: 'pointer', pointer: '/csv' }, csv, null)).toEqual(['table', 'text'])
    expect(viewsOfLink({ kind: 'cell', row: 1, column: 1 }, settings, null)).toEqual([])
  })

  it('that is a line belongs to the text that it was counted in', () => {
    expect(viewsOfLink({ kind: 'line', line: 3 }, items, 'table')).toEqual(['text'])
    expect(viewsOfLink({ kind: 'line', line: 3, form: 'sent' }, items, 'text')).toEqual(['raw'])
  })
})
