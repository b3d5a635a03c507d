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

test('the same function called from two places is one, and idle time is no work', () => {
  expect(hottestFunctions(profile, 2)).toEqual({
    idle: 0.5,
    functions: [
      { place: 'read dist/gateway/read.js:7', share: 0.7 },
      { place: '(garbage collector)', share: 0.2 },
    ],
  })
})

test('functions without a name are told by their place', () => {
  expect(hottestFunctions(profile, 3).functions.at(-1)).toEqual({
    place: '(anonymous) node:internal/timers:2',
    share: 0.1,
  })
})
