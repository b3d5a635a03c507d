import { expect, it } from 'vitest'
import { treeMove } from './tree-keys.js'

it.each([
  ['ArrowDown', { kind: 'by', rows: 1 }],
  ['ArrowUp', { kind: 'by', rows: -1 }],
  ['PageDown', { kind: 'by', rows: 20 }],
  ['PageUp', { kind: 'by', rows: -20 }],
  ['Home', { kind: 'first' }],
  ['End', { kind: 'last' }],
  ['ArrowRight', { kind: 'inwards' }],
  ['ArrowLeft', { kind: 'outwards' }],
  ['Enter', { kind: 'choose' }],
  [' ', { kind: 'choose' }],
  ['Tab', null],
  ['a', null],
])('%s does what it does in every tree', (key, move) => {
  expect(treeMove(key, 20)).toEqual(move)
})
