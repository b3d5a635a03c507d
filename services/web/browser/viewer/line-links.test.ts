import { describe, expect, it } from 'vitest'
import { lineOfLink, linkToLine } from './line-links.js'

const reader = {
  lineOf: async (form: string, pointer: string) => (pointer === '/a' ? (form === 'sent' ? 0 : 7) : null),
}

describe.each(['shown', 'sent'] as const)('in the text as %s', (form) => {
  it('the place of a line leads back to it', async () => {
    expect(await lineOfLink(reader, form, linkToLine(form, 41))).toBe(41)
  })

  it('a line of the other form has no place', async () => {
    expect(await lineOfLink(reader, form, linkToLine(form === 'sent' ? 'shown' : 'sent', 41))).toBeNull()
  })

  it('a value is on the line where it begins', async () => {
    expect(await lineOfLink(reader, form, { kind: 'pointer', pointer: '/a' })).toBe(form === 'sent' ? 0 : 7)
    expect(await lineOfLink(reader, form, { kind: 'pointer', pointer: '/b' })).toBeNull()
  })
})

it('a cell is on no line', async () => {
  expect(await lineOfLink(reader, 'shown', { kind: 'cell', row: 1, column: 1 })).toBeNull()
})
