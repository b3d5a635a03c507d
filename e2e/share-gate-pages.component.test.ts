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
  system = await startSystem({ gatewayEnv: () => ({ RATE_LIMIT_STANDARD: '1000/60' }) })
  owner = await system.user('gina', 'pro')
})
afterAll(async () => {
  expect(system.gatewayOutput()).not.toContain('unexpected_error')
  await system?.stop()
})

const gated = (fields: object): Promise<Gated> =>
  makeShare(owner, { title: 'Secret title', data: { csv: secret }, ...fields })

async function usageOf({ id }: Gated): Promise<{ readonly views: number }> {
  return (await owner.get(`/api/shares/${id}`)).json()
}

const send = (share: Gated, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(share.share_url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
    headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
  })

describe('the page of a gated share', () => {
  const form = (share: Gated, given?: string, headers: Record<string, string> = {}) =>
    send(share, given === undefined ? {} : { password: given }, headers)

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
    expect(sent.headers.get('ratelimit-policy')).toBe('"standard";q=1000;w=60')
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

describe('the form of a gated share, sent again', () => {
  /** What a rendering of the page would send. */
  async function attemptOf(share: Gated): Promise<{ readonly attempt: string }> {
    const page = await fetch(share.share_url)
    expect(page.headers.get('cache-control')).toBe('no-store')
    const found = /name="attempt" value="(\w{27})"/.exec(await page.text())?.[1]
    if (found === undefined) throw new Error('the page has no attempt')
    return { attempt: found }
  }

  /** The cookies of both addresses, without their common attributes. */
  const cookieOf = (sent: Response): string | undefined => sent.headers.getSetCookie()[0]?.split(';')[0]

  it('by 20 clicks at once, or after Back, opens the share with one view and one grant', async () => {
    const share = await gated({ burn: true })
    const fields = await attemptOf(share)
    const clicks = await Promise.all(Array.from({ length: 20 }, () => send(share, fields)))
    const back = await send(share, fields)
    for (const sent of [...clicks, back]) {
      expect([sent.status, sent.headers.get('location')]).toEqual([303, `/s/${share.id}`])
      expect(cookieOf(sent)).toBe(`snipkeep_grant=${fields.attempt}`)
    }
    const opened = await fetch(share.share_url, { headers: { Cookie: cookieOf(back) ?? '' } })
    expect(await opened.text()).toContain(secret)
    expect(await usageOf(share)).toMatchObject({ views: 1, gated: { views_left: 0 } })
    const stranger = await send(share, { attempt: 'A'.repeat(27) })
    expect([stranger.status, cookieOf(stranger)]).toEqual([410, undefined])
  })

  it('needs its password once, and counts a wrong one each time', async () => {
    const share = await gated({ password, max_views: 2 })
    const fields = await attemptOf(share)
    expect((await send(share, { ...fields, password: 'wrong' })).status).toBe(403)
    expect((await send(share, { ...fields, password: 'wrong' })).status).toBe(403)
    for (const word of [password, password, 'wrong', ''])
      expect((await send(share, { ...fields, password: word })).status).toBe(303)
    expect(await usageOf(share)).toMatchObject({ views: 1, failed_passwords: 2 })
  })

  it('from two renderings counts two views', async () => {
    const share = await gated({ max_views: 9 })
    const [one, other] = [await attemptOf(share), await attemptOf(share)]
    const sent = [await send(share, one), await send(share, other), await send(share, one)].map(cookieOf)
    expect(sent).toEqual([one, other, one].map(({ attempt }) => `snipkeep_grant=${attempt}`))
    expect((await usageOf(share)).views).toBe(2)
  })

  it('with an attempt of another form counts like one without', async () => {
    const share = await gated({ max_views: 99 })
    const wrong = ['', 'A', 'A'.repeat(26), 'A'.repeat(28), `${'A'.repeat(26)}-`, `${'A'.repeat(27)}\n`]
    for (const [n, attempt] of wrong.entries()) {
      const cookies = [await send(share, { attempt }), await send(share, { attempt })].map(cookieOf)
      for (const cookie of cookies) expect(cookie).toMatch(/^snipkeep_grant=\w{27}$/)
      expect(cookies[0], attempt).not.toBe(cookies[1])
      expect((await usageOf(share)).views).toBe(2 * (n + 1))
    }
  })

  it('with an attempt that opens another share, is refused with a new one, and counts nothing', async () => {
    const [one, other] = [await gated({ burn: true }), await gated({ burn: true })]
    const fields = await attemptOf(one)
    const opened = await send(one, fields)
    const refused = await send(other, fields)
    expect([refused.status, cookieOf(refused)]).toEqual([503, undefined])
    expect(await refused.text()).toMatch(/could not be opened just now[\s\S]*name="attempt"/)
    expect((await usageOf(other)).views).toBe(0)
    const headers = { Cookie: cookieOf(opened) ?? '' }
    expect(await (await fetch(one.share_url, { headers })).text()).toContain(secret)
    expect(await (await fetch(other.share_url, { headers })).text()).toContain('class="gate"')
    expect((await send(other, await attemptOf(other))).status).toBe(303)
  })
})
