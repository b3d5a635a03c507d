import { expect, it } from 'vitest'
import { claimsInLines, isRepository, type RuleFields, ruleOf } from './rule-claims.js'

const fields: RuleFields = {
  issuer: 'github',
  repository: ' acme/website ',
  branch: '',
  environment: '',
  lines: '',
  scopes: ['write'],
}

it('a rule is named after its repository, and includes branch and environment if entered', () => {
  expect(ruleOf(fields)).toEqual({
    name: 'acme/website',
    issuer: 'github',
    repository: 'acme/website',
    claims: {},
    scopes: ['write'],
  })
  expect(ruleOf({ ...fields, branch: 'main', environment: 'prod' })?.claims).toEqual({
    ref: 'refs/heads/main',
    environment: 'prod',
  })
  expect(ruleOf({ ...fields, issuer: 'gitlab', branch: 'main' })?.claims).toEqual({
    ref: 'main',
    ref_type: 'branch',
  })
})

it('a rule of another issuer has the listed claims, and at least one', () => {
  const other = { ...fields, issuer: 'circleci' }
  expect(ruleOf({ ...other, lines: 'oidc.circleci.com/project-id=1\n\n b = c=d ' })).toBeNull()
  expect(ruleOf({ ...other, lines: 'oidc.circleci.com/project-id=1\n\nb=c=d ' })).toEqual({
    name: 'circleci',
    issuer: 'circleci',
    claims: { 'oidc.circleci.com/project-id': '1', b: 'c=d' },
    scopes: ['write'],
  })
  expect(claimsInLines('')).toBeNull()
  expect(claimsInLines('a=')).toBeNull()
})

it('a rule needs the full name of a repository, and a scope', () => {
  expect(isRepository('group/sub/project')).toBe(true)
  for (const name of ['', 'website', 'a b/c', '/a', 'a/']) expect(isRepository(name), name).toBe(false)
  expect(ruleOf({ ...fields, repository: 'website' })).toBeNull()
  expect(ruleOf({ ...fields, scopes: [] })).toBeNull()
})
