import { expect, test } from 'vitest'
import { readVariables } from '../config/read-variables.js'
import { integer, secret, text } from '../config/variables.js'
import { ok } from './finding.js'
import { type Check, runChecks, runDoctor } from './run-doctor.js'

const variables = {
  COUNT: integer('A number.', { min: 1 }, 1),
  NAME: text('A name.'),
  KEY: secret(text('A secret.', 'default')),
}
const readConfig = (env: Record<string, string | undefined>) => readVariables(variables, env)

const target = (...checks: Check[]) => ({ process: 'p', variables, readConfig, checks: () => checks })

test('every configuration problem is a finding with its variable, and no other check runs', async () => {
  const asked = { name: 'never', run: () => Promise.reject(new Error('asked')) }
  const findings = await runChecks(target(asked), { COUNT: 'x' })
  expect(findings).toEqual([
    {
      check: 'configuration',
      verdict: 'problem',
      message: 'COUNT must be a whole number of at least 1.',
      remedy: 'set COUNT as docs/configuration.md says',
    },
    {
      check: 'configuration',
      verdict: 'problem',
      message: 'NAME must be set.',
      remedy: 'set NAME as docs/configuration.md says',
    },
    expect.objectContaining({ verdict: 'skipped' }),
  ])
})

test('a variable that was removed but is set is a warning that says what to do', async () => {
  const env = { NAME: 'n', FAST_PATH: 'false' }
  const [, removed] = await runChecks({ ...target(), process: 'gateway' }, env)
  expect(removed).toEqual({
    check: 'configuration',
    verdict: 'warning',
    message: 'FAST_PATH is set but has no effect',
    remedy: expect.stringContaining('remove it'),
  })
})

test('a check that throws is a problem, and the others are still reported', async () => {
  const fails = { name: 'odd', run: () => Promise.reject(new Error('it broke')) }
  const works = { name: 'even', run: async () => [ok('even', 'fine')] }
  const findings = await runChecks(target(fails, works), { NAME: 'n' })
  expect(findings.map(({ check, verdict, message }) => [check, verdict, message])).toEqual([
    ['configuration', 'ok', 'all variables are valid'],
    ['odd', 'problem', 'could not be checked: it broke'],
    ['even', 'ok', 'fine'],
  ])
})

test('no finding contains a secret, whatever its source', async () => {
  const KEY = 'postgres://user:p%40ssword@host/db'
  const leaks = {
    name: 'leak',
    run: () => Promise.reject(new Error(`cannot log in at ${KEY} with p@ssword or p%40ssword`)),
  }
  const findings = await runChecks(target(leaks), { NAME: 'n', KEY })
  const message = findings.map((finding) => finding.message).join()
  expect(message).not.toMatch(/p(@|%40)ssword/)
  expect(message).toContain('cannot log in at (secret) with (secret) or (secret)')
})

test('a terminal gets a report, and a program one line of JSON per finding', async () => {
  const message = async (text: boolean) => {
    const written: string[] = []
    const fine = { name: 'even', run: async () => [ok('even', 'fine')] }
    const output = { text, report: false, write: (one: string) => void written.push(one) }
    await runDoctor(target(fine), { NAME: 'n' }, output)
    return written.join('')
  }
  expect(await message(true)).toMatch(
    /^snipkeep doctor\n\np\n {2}ok {7}configuration .*\n {2}ok {7}even +fine\n/,
  )
  const lines = (await message(false)).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ process: 'p', check: 'configuration', verdict: 'ok' }),
    { process: 'p', check: 'even', verdict: 'ok', message: 'fine', remedy: null },
  ])
})
