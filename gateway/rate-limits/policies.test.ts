import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readVariables } from '#libs/config/read-variables.js'
import { policyTable, ratePolicies, rateVariables } from './policies.js'

const read = (env: Record<string, string>) => readVariables(rateVariables, env)

describe('the policies', () => {
  it('have defaults, and can be changed or disabled individually', () => {
    expect(ratePolicies(read({}))).toEqual({
      strict: { name: 'strict', requests: 5, seconds: 60 },
      standard: { name: 'standard', requests: 300, seconds: 60 },
      fairUse: { name: 'fair-use', requests: 600, seconds: 60 },
    })
    expect(ratePolicies(read({ RATE_LIMIT_STRICT: '1/3600', RATE_LIMIT_FAIR_USE: 'off' }))).toMatchObject({
      strict: { name: 'strict', requests: 1, seconds: 3_600 },
      fairUse: null,
    })
  })

  it('are rejected in an invalid format, by name', () => {
    for (const bad of [
      '5',
      '5/0',
      '0/60',
      '-1/60',
      '5/60/1',
      '5 / 60',
      'OFF',
      '1e3/60',
      '10001/60',
      '5/60s',
    ]) {
      expect(() => read({ RATE_LIMIT_STANDARD: bad }), bad).toThrow(/RATE_LIMIT_STANDARD must be requests/)
    }
    expect(() => read({ RATE_LIMIT_SCOPE: 'some' })).toThrow(/RATE_LIMIT_SCOPE must be one of create, all/)
    for (const bad of ['10.0.0.0/33', 'everybody', '10.0.0/8', '::/129', '1.2.3.4/a', '/8', '010.0.0.1']) {
      expect(() => read({ TRUSTED_PROXIES: bad }), bad).toThrow(/TRUSTED_PROXIES must be/)
    }
    expect(read({ TRUSTED_PROXIES: '10.0.0.0/8, ::1,2001:db8::/32' }).TRUSTED_PROXIES).toHaveLength(3)
  })

  it('match the table in docs/limits.md', () => {
    expect(readFileSync('docs/limits.md', 'utf8')).toContain(policyTable())
  })
})
