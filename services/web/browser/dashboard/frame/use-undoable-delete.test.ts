import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { problemOf } from '#sdk/problem-error.js'
import { hiddenIds } from '../api/cursor-list.js'
import { finishUndoable, toastQueue } from './toasts.js'
import { deleteUndoably } from './use-undoable-delete.js'

const records = Array.from({ length: 7 }, (_, n) => ({ id: `id-${n}`, title: `Snippet ${n}` }))
const ids = records.map(({ id }) => id)

beforeEach(() => {
  vi.stubGlobal('location', { pathname: '/snippets' })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** The toasts shown now, the newest first. */
const toasts = () => toastQueue.visibleToasts.map(({ content }) => content)

/** A promise that waits until it is opened. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}

it('deletes nothing that is undone', async () => {
  const removed: string[] = []
  deleteUndoably({ remove: async (id) => removed.push(id), refresh: async () => {} }, records, 'Deleted')
  expect([...hiddenIds()]).toEqual(ids)
  toasts()[0]?.action?.run()
  await finishUndoable({ isLeaving: true })
  expect([removed, [...hiddenIds()], toasts()]).toEqual([[], [], []])
})

it('sends all requests at once, without a pause, when the user leaves before the undo period ends', async () => {
  const removed: string[] = []
  const answer = gate()
  const remove = (id: string): Promise<void> => {
    removed.push(id)
    return answer.passed
  }
  deleteUndoably({ remove, refresh: async () => {} }, records, 'Deleted')
  const ended = finishUndoable({ isLeaving: true })
  expect(removed).toEqual(ids)
  answer.open()
  await ended
  expect([[...hiddenIds()], toasts()]).toEqual([[], []])
})

it('sends what is left when the user leaves while it runs', async () => {
  const removed: string[] = []
  const answer = gate()
  const tooMany = await problemOf(new Response('', { status: 429, headers: { 'Retry-After': '600' } }))
  const remove = async (id: string): Promise<void> => {
    removed.push(id)
    if (removed.length === 1) throw tooMany
    await answer.passed
  }
  deleteUndoably({ remove, refresh: async () => {} }, records, 'Deleted')
  void finishUndoable()
  expect(removed).toEqual(ids.slice(0, 4))
  const ended = finishUndoable({ isLeaving: true })
  await vi.waitFor(() => expect(removed.toSorted()).toEqual([...ids, 'id-0'].toSorted()))
  answer.open()
  await ended
  expect([[...hiddenIds()], toasts()]).toEqual([[], []])
})

it('offers another try only when the lists are loaded again, and hides the records until it has ended', async () => {
  const loaded = gate()
  const secondTry = gate()
  let tries = 0
  const remove = async (): Promise<void> => {
    tries += 1
    if (tries === 1) throw new Error('It is locked.')
    await secondTry.passed
  }
  deleteUndoably({ remove, refresh: () => loaded.passed }, records.slice(0, 1), 'Deleted')
  const ended = finishUndoable()
  await vi.waitFor(() => expect(tries).toBe(1))
  expect([[...hiddenIds()], toasts()]).toEqual([['id-0'], []])
  loaded.open()
  await ended
  expect([...hiddenIds()]).toEqual([])
  const [failed] = toasts()
  expect(failed?.message).toContain('“Snippet 0”')
  failed?.action?.run()
  await vi.waitFor(() => expect(tries).toBe(2))
  expect([...hiddenIds()]).toEqual(['id-0'])
  // Whoever leaves now waits for the second try, too.
  const left = finishUndoable({ isLeaving: true })
  secondTry.open()
  await left
  expect([[...hiddenIds()], toasts()]).toEqual([[], []])
})
