import { expect, it } from 'vitest'
import { cellAfter } from './grid-keys.js'

const size = { rows: 100, columns: 4, pageRows: 10 }

it.each([
  ['ArrowDown', false, 6, 2],
  ['ArrowUp', false, 4, 2],
  ['ArrowLeft', false, 5, 1],
  ['ArrowRight', false, 5, 3],
  ['PageDown', false, 15, 2],
  ['PageUp', false, 0, 2],
  ['Home', false, 5, 0],
  ['End', false, 5, 3],
  ['Home', true, 0, 0],
  ['End', true, 99, 3],
])('%s leads on', (key, ctrlKey, position, column) => {
  const from = { position: 5, column: 2 }
  expect(cellAfter({ key, ctrlKey, metaKey: false }, from, size)).toEqual({ position, column })
})

it('no key leads out of the grid, and the header is above the first row', () => {
  const press = (key: string, from: { position: number; column: number }) =>
    cellAfter({ key, ctrlKey: false, metaKey: false }, from, size)
  expect(press('ArrowUp', { position: 0, column: 0 })).toEqual({ position: -1, column: 0 })
  expect(press('ArrowUp', { position: -1, column: 0 })).toEqual({ position: -1, column: 0 })
  expect(press('ArrowDown', { position: 99, column: 0 })).toEqual({ position: 99, column: 0 })
  expect(press('ArrowRight', { position: 9, column: 3 })).toEqual({ position: 9, column: 3 })
  expect(press('x', { position: 9, column: 3 })).toBeNull()
})
