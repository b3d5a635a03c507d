import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Line } from '../../document/document-reader.js'
import { changesBetween, endOf, readPart, type TextPart, textOfPart } from './text-part.js'

function document(count: number, length = 1): readonly Line[] {
  return Array.from({ length: count }, (_, line) => ({ text: `${line}`.padEnd(length, '.'), cutLength: 0 }))
}

const reading = (lines: readonly Line[]) => async (from: number, count: number) => {
  if (from < 0) throw new RangeError('There is no such line')
  return lines.slice(from, from + count)
}

describe('a part', () => {
  it('is all of a text that fits', async () => {
    const lines = document(3_500)
    const part = await readPart(reading(lines), 1_200, { lines: 10_000, characters: 100_000 })
    expect(part).toEqual({ firstLine: 0, lines })
  })

  it('holds as much before its line as after it, by lines', async () => {
    const part = await readPart(reading(document(50_000)), 25_000, { lines: 5_000, characters: 1e9 })
    expect([part.firstLine, endOf(part)]).toEqual([22_500, 27_500])
    expect(part.lines[0]?.text).toBe('22500')
  })

  it('holds as much before its line as after it, by characters', async () => {
    const part = await readPart(reading(document(1_000, 99)), 500, { lines: 1e9, characters: 10_000 })
    expect([part.firstLine, endOf(part)]).toEqual([450, 550])
  })

  it.each([0, 1, 49_998, 49_999])('around line %i reaches to the end that is near', async (around) => {
    const part = await readPart(reading(document(50_000)), around, { lines: 3_000, characters: 1e9 })
    const wanted = around < 1_500 ? [0, 3_000] : [around - 1_500, 50_000]
    expect([part.firstLine, endOf(part)]).toEqual(wanted)
  })
})

it('changes between any two parts of a text make one the other', () => {
  const lines = fc.array(fc.constantFrom('', 'a', 'bc', 'def'), { minLength: 1, maxLength: 12 })
  const ends = fc.tuple(fc.nat(12), fc.nat(12), fc.nat(12), fc.nat(12))
  fc.assert(
    fc.property(lines, ends, (texts, [a, b, c, d]) => {
      const part = (one: number, other: number): TextPart => {
        const first = Math.min(one, other, texts.length - 1)
        const cut = texts.slice(first, Math.max(one, other, first) + 1)
        return { firstLine: first, lines: cut.map((text) => ({ text, cutLength: 0 })) }
      }
      const [old, next] = [part(a, b), part(c, d)]
      const changed = changesBetween(old, next).reduceRight(
        (text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to),
        textOfPart(old),
      )
      expect(changed).toBe(textOfPart(next))
    }),
  )
})

it('lines that two parts share are not touched by the change', () => {
  const all = document(40)
  const old = { firstLine: 0, lines: all.slice(0, 20) }
  const next = { firstLine: 10, lines: all.slice(10, 30) }
  const [dropped, added, ...others] = changesBetween(old, next)
  expect(others).toEqual([])
  expect(dropped).toEqual({ from: 0, to: 20, insert: '' })
  expect(added?.from).toBe(textOfPart(old).length)
})
