import { expect, test } from 'vitest'
import { hottestFunctions } from './hottest-functions.js'

const frame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber })

const profile = {
  nodes: [
    { id: 1, callFrame: frame('(idle)') },
    { id: 2, callFrame: frame('(garbage collector)') },
    { id: 3, callFrame: frame('read', `file://${process.cwd()}/dist/gateway/read.js`, 6) },
    { id: 4, callFrame: frame('', 'node:internal/timers', 1) },
    { id: 5, callFrame: frame('read', `file://${process.cwd()}/dist/gateway/read.js`, 6) },
  ],
  samples: [1, 2, 3, 4, 5],
  timeDeltas: [100, 20, 50, 10, 20],
}

test('calls of a function from two places are merged, and idle time does not count', () => {
  expect(hottestFunctions(profile, 2)).toEqual({
    idle: 0.5,
    functions: [
      { place: 'read dist/gateway/read.js:7', share: 0.7 },
      { place: '(garbage collector)', share: 0.2 },
    ],
  })
})

test('anonymous functions are named by their position', () => {
  expect(hottestFunctions(profile, 3).functions.at(-1)).toEqual({
    place: '(anonymous) node:internal/timers:2',
    share: 0.1,
  })
})
