import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { readVariables } from '../config/read-variables.js'
import { httpUrl, secret, text } from '../config/variables.js'
import { setVariables, withoutValues } from './bug-report.js'
import { ok } from './finding.js'
import { runDoctor } from './run-doctor.js'

const variables = {
  PUBLIC_BASE_URL: httpUrl('An address.'),
  OIDC_ISSUERS: text('Issuers.', ''),
  MODE: text('A word.', ''),
  KEY: secret(text('A secret.', '')),
}
const env = {
  PUBLIC_BASE_URL: 'https://snipkeep.example:8443',
  OIDC_ISSUERS: 'https://login.example/realm=client-1.app',
  MODE: 'production',
  KEY_FILE: '/run/secrets/key',
  UNRELATED: 'not of ours',
}

test('set variables are listed by name, including files and without other programs’', () => {
  expect(setVariables(variables, env)).toEqual(['PUBLIC_BASE_URL', 'OIDC_ISSUERS', 'MODE', 'KEY_FILE'])
})

test('addresses, hosts and paths are replaced by their variables’ names; words are kept', () => {
  const redact = withoutValues(variables, env)
  expect(redact('https://snipkeep.example:8443/readyz responds in production')).toBe(
    '(PUBLIC_BASE_URL)/readyz responds in production',
  )
  expect(redact('snipkeep.example has no certificate; client-1.app of login.example')).toBe(
    '(PUBLIC_BASE_URL) has no certificate; (OIDC_ISSUERS) of (OIDC_ISSUERS)',
  )
  expect(redact('cannot read /run/secrets/key')).toBe('cannot read (KEY_FILE)')
  expect(redact(`${homedir()}/data, ${process.cwd()}/.data`)).toBe('~/data, ./.data')
})

async function printed(isText: boolean): Promise<string> {
  const lines: string[] = []
  const secretText = 'a-long-secret-value'
  const check = {
    name: 'leak',
    run: async () => [ok('leak', `${env.PUBLIC_BASE_URL} with ${secretText}`)],
  }
  const target = {
    process: 'gateway',
    variables,
    readConfig: (given: Record<string, string | undefined>) => readVariables(variables, given),
    checks: () => [check],
  }
  const output = { text: isText, report: true, write: (one: string) => void lines.push(one) }
  await runDoctor(target, { ...env, KEY: secretText, KEY_FILE: '' }, output)
  return lines.join('')
}

test('a bug report has versions, names and findings, and neither secrets nor addresses', async () => {
  const report = await printed(true)
  expect(report).toMatch(/^snipkeep \d+\.\d+\.\d+\S*\nnode {5}\d+\.\d+\.\d+\nsystem {3}\w+ /)
  expect(report).toContain('set      KEY, MODE, OIDC_ISSUERS, PUBLIC_BASE_URL\n')
  expect(report).toContain('(PUBLIC_BASE_URL) with (secret)')
  expect(report).not.toContain('snipkeep.example')
})

test('the bug report of a whole installation has one line per finding, and one with the names', async () => {
  const lines = (await printed(false)).trim().split('\n')
  expect(lines.at(-1)).toBe('{"process":"gateway","set":["PUBLIC_BASE_URL","OIDC_ISSUERS","MODE","KEY"]}')
  expect(lines.join()).not.toContain('snipkeep.example')
})
