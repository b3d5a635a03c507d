import { expect, test } from 'vitest'
import { integer, secret, text } from '../config/variables.js'
import { isOneSlipFrom, unknownVariables } from './run-doctor.js'

test.each([
  ['PLAN_FREE_SNIPETS', true],
  ['PLAN_FREE_SNIPPPETS', true],
  ['PLAN_FREE_SNIPPETZ', true],
  ['PLAN_FREE_SNIPPEST', true],
  ['LAN_FREE_SNIPPETS', true],
  ['PLAN_FREE_SNIPPETS', false],
  ['PLAN_FREE_SNIPP', false],
  ['PLAN_FERE_SNIPETS', false],
])('%s is one slip from PLAN_FREE_SNIPPETS: %s', (name, expected) => {
  expect(isOneSlipFrom(name, 'PLAN_FREE_SNIPPETS')).toBe(expected)
})

const variables = {
  PLAN_FREE_SNIPPETS: integer('Some.', { min: 0 }, 1),
  DATABASE_URL: secret(text('Where.')),
  PORT: integer('A port.', { min: 0 }, 1),
}

test('an unknown variable is reported with the name that was meant, and never with its value', () => {
  const env = { PLAN_FREE_SNIPETS: '5', DATABASE_URL_FIEL: '/run/secrets/url', POST: 'x', PATH: 'y' }
  expect(unknownVariables(variables, env).map(({ message, remedy }) => [message, remedy])).toEqual([
    ['PLAN_FREE_SNIPETS is set but unused', 'did you mean PLAN_FREE_SNIPPETS?'],
    ['DATABASE_URL_FIEL is set but unused', 'did you mean DATABASE_URL_FILE?'],
  ])
})

test('nothing is reported if the right one is set as well', () => {
  const env = { PLAN_FREE_SNIPETS: '5', PLAN_FREE_SNIPPETS: '5' }
  expect(unknownVariables(variables, env)).toEqual([])
})
