import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { type MadeShare as Gated, makeShare } from './harness/make-share.js'
import { previewAgents, visit } from './harness/preview-agents.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

const password = 'open sesame é'
const secret = 'the secret value'
let system: SystemInProcess
let owner: ApiClient

beforeAll(async () => {
  system = await startSystem()
  owner = await system.user('gina', 'pro')
})
afterAll(() => system?.stop())

const gated = (fields: object): Promise<Gated> =>
  makeShare(owner, { title: 'Secret title', data: { csv: secret }, ...fields })

async function usageOf({ id }: Gated): Promise<{ readonly views: number }> {
  return (await owner.get(`/api/shares/${id}`)).json()
}

describe('the page of a gated share', () => {
  const form = (share: Gated, given?: string, headers: Record<string, string> = {}) =>
    fetch(share.share_url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(given === undefined ? {} : { password: given }),
      headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
    })

  it('is a form without a script, a title or a preview, until its form is sent; a reload counts nothing', async () => {
    const share = await gated({ password, max_views: 2 })
    const gate = await fetch(share.share_url)
    const page = await gate.text()
    expect([gate.status, gate.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(page).toContain('<form class="gate" method="post"')
    expect(page).toContain('Show it (2 views left)')
    expect(page).not.toMatch(/<script|Secret title|oembed|og:url|the secret value/)
    const policy = gate.headers.get('content-security-policy') ?? ''
    for (const rule of ["form-action 'self'", "frame-ancestors 'none'", "default-src 'none'"])
      expect(policy).toContain(rule)
    expect(policy).not.toContain('script-src')

    const wrong = await form(share, 'wrong')
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([403, null])
    expect(await wrong.text()).toMatch(/role="alert">This password is wrong[\s\S]*aria-invalid="true"/)

    const sent = await form(share, password)
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/s/${share.id}`])
    const cookies = sent.headers.getSetCookie()
    expect(cookies.map((cookie) => /Path=([^;]+)/.exec(cookie)?.[1])).toEqual([
      `/s/${share.id}`,
      `/api/shares/${share.id}`,
    ])
    for (const cookie of cookies) expect(cookie).toMatch(/^snipkeep_grant=\w{27};.*HttpOnly; SameSite=Lax$/)
    const cookie = { Cookie: cookies[0]?.split(';')[0] ?? '' }
    for (let reload = 0; reload < 3; reload += 1) {
      const open = await fetch(share.share_url, { headers: cookie })
      expect([open.status, open.headers.get('cache-control')]).toEqual([200, 'no-store'])
      const shown = await open.text()
      expect(shown).toMatch(/<h1>Secret title<\/h1>[\s\S]*the secret value/)
      expect(shown).not.toContain('oembed')
    }
    const raw = await fetch(`${system.baseUrl()}/api/shares/${share.id}/raw?pointer=/csv`, {
      headers: cookie,
    })
    expect(await raw.text()).toBe(secret)
    const other = await gated({ max_views: 1 })
    expect(await (await fetch(other.share_url, { headers: cookie })).text()).toContain('class="gate"')
    expect(await usageOf(share)).toMatchObject({ views: 1, failed_passwords: 1 })
  })

  it('says that it is used up', async () => {
    const share = await gated({ burn: true })
    expect((await form(share)).status).toBe(303)
    for (const response of [await fetch(share.share_url), await form(share)]) {
      expect(response.status).toBe(410)
      expect(await response.text()).toMatch(/reached its view limit/)
    }
  })

  it('counts nothing that another site sends', async () => {
    const share = await gated({ burn: true })
    for (const site of ['cross-site', 'same-site', 'none']) {
      const sent = await form(share, undefined, { 'Sec-Fetch-Site': site })
      expect([sent.status, sent.headers.get('set-cookie')]).toEqual([303, null])
    }
    expect((await usageOf(share)).views).toBe(0)
  })

  it('is not embedded and not compared', async () => {
    const share = await gated({ max_views: 1 })
    const open = (await owner.post('/api/shares', { tool: 'csv', title: 'T', data: {} })).json<Gated>()
    for (const path of [
      `/s/${share.id}/embed`,
      `/s/${share.id}/compare`,
      `/s/${share.id}/compare/${open.id}`,
      `/s/${open.id}/compare/${share.id}`,
    ]) {
      const page = await fetch(`${system.baseUrl()}${path}`)
      expect([page.status, page.headers.get('cache-control')], path).toEqual([403, 'no-store'])
      const text = await page.text()
      expect(text).toContain(`/s/${share.id}"`)
      expect(text).not.toMatch(/<form|Secret title/)
    }
  })

  it('is not revealed by any of 50 link-preview agents, by HEAD, or by prefetching', async () => {
    expect(previewAgents).toHaveLength(50)
    const share = await gated({ max_views: 3 })
    const api = `${system.baseUrl()}/api/shares/${share.id}`
    const addresses = [share.share_url, `${share.share_url}/embed`, api, `${api}/raw`]
    for (const agent of previewAgents) {
      for (const texts of await Promise.all(addresses.map((address) => visit(agent, address))))
        expect(texts.join('\n')).not.toMatch(/Secret title|secret value/)
    }
    expect(await usageOf(share)).toMatchObject({ views: 0, first_viewed_at: null, failed_passwords: 0 })
  })
})
