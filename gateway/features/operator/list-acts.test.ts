import { expect, it } from 'vitest'
import { positionOf } from '#libs/paging/list-position.js'
import type { Act } from '#proto/snipkeep/operator/v1/operator.js'
import { mergeActs } from './list-acts.js'

function act(id: string, ms: number): Act {
  const texts = {
    action: 'share.disabled',
    operatorId: 'o',
    operatorName: '',
    subjectKind: 'share',
    subjectId: 's',
  }
  const rest = { accountId: 'a', reason: 'r', message: '', detail: '{}' }
  return { id, ...texts, ...rest, createdAt: new Date(ms) }
}

const idsOf = (acts: readonly Act[]): readonly string[] => acts.map(({ id }) => id)

it('merges lists of several services, newest first, and by id at the same time', () => {
  const lists = [
    { acts: [act('c', 3), act('a', 1)], nextCursor: '' },
    { acts: [act('d', 3), act('b', 2)], nextCursor: '' },
  ]
  const merged = mergeActs(lists, 10)
  expect(idsOf(merged.acts)).toEqual(['d', 'c', 'b', 'a'])
  expect(merged.nextCursor).toBe('')
})

it('the next page begins after the last act shown, whichever service has more', () => {
  const first = mergeActs([{ acts: [act('b', 2), act('a', 1)], nextCursor: '' }], 1)
  expect(idsOf(first.acts)).toEqual(['b'])
  expect(positionOf(first.nextCursor)).toEqual({ createdAt: new Date(2), id: 'b' })
  const full = mergeActs([{ acts: [act('b', 2)], nextCursor: 'more' }], 1)
  expect(full.nextCursor).not.toBe('')
  expect(mergeActs([{ acts: [], nextCursor: '' }], 1)).toEqual({ acts: [], nextCursor: '' })
})

it('page by page, all acts of all services appear once', () => {
  const services = [
    Array.from({ length: 7 }, (_value, n) => act(`x${n}`, 100 - 3 * n)),
    Array.from({ length: 5 }, (_value, n) => act(`y${n}`, 100 - 3 * n)),
    Array.from({ length: 6 }, (_value, n) => act(`z${n}`, 99 - 2 * n)),
  ]
  const seen: string[] = []
  let cursor = ''
  do {
    const after = positionOf(cursor)
    const lists = services.map((acts) => {
      const rest = acts.filter(
        ({ id, createdAt }) =>
          after === null ||
          Number(createdAt) < Number(after.createdAt) ||
          (Number(createdAt) === Number(after.createdAt) && id < after.id),
      )
      return { acts: rest.slice(0, 4), nextCursor: rest.length > 4 ? 'more' : '' }
    })
    const page = mergeActs(lists, 4)
    seen.push(...idsOf(page.acts))
    cursor = page.nextCursor
  } while (cursor !== '')
  expect(seen).toHaveLength(18)
  expect(new Set(seen).size).toBe(18)
})
