import { describe, expect, it } from 'vitest'
import { createNotesHeader } from './tool-output.js'

const more = { message: expect.stringMatching(/^There may be more notes/) }

describe('the header of notes', () => {
  it('is JSON in ASCII of all that have room', () => {
    const add = createNotesHeader()
    expect(add({ line: 1, column: 2, message: 'é "1"' })).toBe(
      '[{"line":1,"column":2,"message":"\\u00e9 \\"1\\""}]',
    )
    expect(JSON.parse(add({ line: undefined, column: undefined, message: '😀' }))).toEqual([
      { line: 1, column: 2, message: 'é "1"' },
      { message: '😀' },
    ])
  })

  it.each([1, 10, 70, 100, 400])(
    'has up to 2 KiB and says if there may be more: messages of %i',
    (length) => {
      const add = createNotesHeader()
      const notes = Array.from({ length: 60 }, (_none, at) => ({
        line: at + 1,
        column: 1,
        message: 'é'.repeat(length),
      }))
      const headers = notes.map(add)
      for (const header of headers) expect(header.length).toBeLessThanOrEqual(2_048)
      const last: unknown[] = JSON.parse(headers.at(-1) ?? '')
      expect(last).toEqual([...notes.slice(0, last.length - 1), more])
      // What was left out had no room.
      const next = notes[last.length - 1]
      const escaped = JSON.stringify(next).length + 5 * length
      expect((headers.at(-1) ?? '').length + escaped + 1).toBeGreaterThan(2_048)
    },
  )

  it('says so, too, if not even the first has room', () => {
    const add = createNotesHeader()
    const message = 'x'.repeat(3_000)
    for (const line of [1, 2]) expect(JSON.parse(add({ line, column: 1, message }))).toEqual([more])
    expect(JSON.parse(add({ line: 3, column: 1, message: 'short' }))).toEqual([more])
  })
})
