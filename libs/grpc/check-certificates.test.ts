import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestAuthority, type TestAuthority } from '../testing/test-certificates.js'
import { checkCertificates } from './check-certificates.js'

let authority: TestAuthority
beforeAll(() => {
  authority = createTestAuthority()
})
afterAll(() => authority.remove())

const hour = 3_600_000
const inHours = (hours: number): Date => new Date(Date.now() + hours * hour)

it('valid certificates with the right process name are ok', () => {
  expect(checkCertificates('content', authority.issue('content'), new Date())).toMatchObject([
    { verdict: 'ok' },
  ])
  expect(checkCertificates('content', null, new Date())).toEqual([])
})

it('certificates that expire soon are a warning and expired ones a problem, each with what to renew', () => {
  const files = authority.issue('content')
  const [soon] = checkCertificates('content', files, inHours(23))
  expect(soon).toMatchObject({ verdict: 'warning', remedy: expect.stringContaining(files.certFile) })
  expect(checkCertificates('content', files, inHours(25))).toMatchObject([{ verdict: 'problem' }])
})

it('another process’s certificate, and files that do not match, are problems', () => {
  const other = authority.issue('identity')
  expect(checkCertificates('content', other, new Date())).toMatchObject([
    { verdict: 'problem', message: 'the certificate names identity, not content' },
  ])
  const mixed = { ...authority.issue('content'), keyFile: other.keyFile }
  expect(checkCertificates('content', mixed, new Date())).toMatchObject([{ verdict: 'problem' }])
})
