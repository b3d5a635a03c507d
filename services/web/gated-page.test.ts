import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import { isAccessGrant } from '#shared/core/access-grant.js'
import { createPageServer } from './server.js'
import type { ShareReader } from './share-reader.js'
import { parsePage } from './testing/parse-page.js'
import { preview } from './testing/previews.js'
import { testAssets } from './testing/test-assets.js'
import { testSite } from './testing/test-site.js'

const share = { ...preview('{"csv":"a"}'), title: 'Behind the gate' }
const gate = { hasPassword: true, viewsLeft: 1, sizeBytes: 11, expiresAt: null, timeLeftMs: null }
const shares: ShareReader = {
  read: () => Promise.reject(new Error('not asked')),
  readGated: async (_id, grant) => (grant === '' ? { open: false, gate } : { open: true, gate, share }),
  close() {},
}
const log = createLogger('test', 'silent')
const server = createPageServer({ shares, assets: testAssets, signIn: null, site: testSite, log })
let base = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

describe('the page of a gated share', () => {
  const path = `/s/${'A'.repeat(24)}`
  const asked = (headers: Record<string, string>, method = 'GET') =>
    fetch(`${base}${path}`, { method, headers })

  it('is its form, with the status of the error that the gateway tells, and without a script', async () => {
    for (const [error, status] of [
      ['share_password_invalid', 403],
      ['rate_limited', 429],
      ['unavailable', 503],
      ['', 200],
    ] as const) {
      const response = await asked({ 'X-Snipkeep-Reveal-Error': error }, 'POST')
      const page = parsePage(await response.text())
      expect([response.status, response.headers.get('cache-control')], error).toEqual([status, 'no-store'])
      expect(page.tags.filter((tag) => tag.startsWith('<script'))).toEqual([])
      expect(
        page.tags.some((tag) => tag.includes('role')),
        error,
      ).toBe(error !== '')
    }
    expect((await asked({}, 'POST')).status).toBe(405)
    expect((await asked({}, 'HEAD')).status).toBe(200)
  })

  it('carries another attempt each time it is rendered, also when it is refused', async () => {
    const attempts: string[] = []
    for (const [headers, method] of [
      [{}, 'GET'],
      [{}, 'GET'],
      [{ 'X-Snipkeep-Reveal-Error': 'unavailable' }, 'POST'],
    ] as const) {
      const page = await (await asked(headers, method)).text()
      const attempt = /<input type="hidden" name="attempt" value="([^"]*)">/.exec(page)?.[1] ?? ''
      expect(isAccessGrant(attempt), attempt).toBe(true)
      attempts.push(attempt)
    }
    expect(new Set(attempts).size).toBe(3)
  })

  it('shows the share to a grant, uncached and without anything for previews', async () => {
    const response = await asked({ 'Snipkeep-Grant': 'a grant' })
    const page = await response.text()
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(page).toContain('<h1>Behind the gate</h1>')
    expect(page).not.toMatch(/oembed|og:url|\/compare/)
    expect(response.headers.get('content-security-policy')).toContain("form-action 'none'")
  })
})
