import { expect, test } from 'vitest'
import { checkAdmission } from './check-admission.js'

const at = (...issuers: string[]) => issuers.map((issuer) => ({ issuer }))
const hd = [{ name: 'hd', values: ['a.example', 'b.example'] }]

test.each([
  ['https://accounts.google.com', 'hd='],
  ['https://login.microsoftonline.com/common/v2.0', 'tid='],
  ['https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0', 'tid='],
  ['https://gitlab.com', 'groups_direct='],
  ['https://appleid.apple.com', 'email='],
])('%s without a required claim is a warning that says what to set', (issuer, example) => {
  const [finding] = checkAdmission(at('https://own.example', issuer), [])
  expect(finding).toMatchObject({ verdict: 'warning' })
  expect(finding?.message).toContain(issuer)
  expect(finding?.remedy).toContain(`OIDC_REQUIRE_CLAIM=${example}`)
})

test('an issuer of one organization is ok without a required claim', () => {
  const own = at('https://login.microsoftonline.com/5f3b0b52/v2.0', 'https://accounts.google.com.example')
  expect(checkAdmission(own, []).map(({ verdict }) => verdict)).toEqual(['ok'])
})

test('a required claim is reported, and makes a public issuer ok', () => {
  const [finding, ...more] = checkAdmission(at('https://accounts.google.com'), hd)
  expect(more).toEqual([])
  expect(finding).toMatchObject({ verdict: 'ok' })
  expect(finding?.message).toContain('hd=a.example or b.example')
})

test('a CI issuer is a problem with any required claim: its tokens are rejected', () => {
  const [finding] = checkAdmission(at('https://token.actions.githubusercontent.com'), hd)
  expect(finding).toMatchObject({ verdict: 'problem' })
  expect(finding?.remedy).toContain('OIDC_ISSUERS')
})
