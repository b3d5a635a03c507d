import { expect, test } from 'vitest'
import { sentenceOf } from './launch-error.js'

test('the message of an uncaught exception is extracted from its stack', () => {
  const printed = `file:///x/main.js:3
throw new Error('x')
      ^

MigrationError: The login plain may not make the role.
    at connect (file:///x/migrate.js:1:1) {
  [cause]: error: permission denied
}

Node.js v20.20.2`
  expect(sentenceOf(printed)).toBe('The login plain may not make the role.')
})

test('configuration problems are shown without the surrounding list', () => {
  const printed = 'The configuration has 2 problems:\n  - PORT must be set.\n  - HOST must be set.\n'
  expect(sentenceOf(printed)).toBe('PORT must be set. HOST must be set.')
})

test('a plain sentence is shown as is, and no output as nothing', () => {
  expect(sentenceOf('Nothing listens at x.\n')).toBe('Nothing listens at x.')
  expect(sentenceOf('')).toBe('')
})

test('an error with a code is found as well', () => {
  expect(sentenceOf('Error [ERR_MODULE_NOT_FOUND]: Cannot find module x\n    at y')).toBe(
    'Cannot find module x',
  )
})
