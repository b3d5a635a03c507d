import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let anyone: ApiClient
let id: string
let page: string

const title = `"><script>alert(1)</script> & 'Team'`

beforeAll(async () => {
  system = await startSystem()
  anyone = system.anyone()
  const mia = await system.user('mia')
  const made = (await mia.post('/api/shares', { tool: 'csv', title, data: { csv: 'a,b\n1,2\n' } })).json()
  id = String(made.id)
  page = String(made.share_url)
})
afterAll(() => system?.stop())

const oembed = (url: string, more = '') => anyone.get(`/oembed?url=${encodeURIComponent(url)}${more}`)

describe('oEmbed', () => {
  it('describes a share as a frame of its embedded page', async () => {
    const response = await oembed(page)
    expect(response.json()).toMatchObject({ version: '1.0', type: 'rich', title, width: 800, height: 480 })
    const { html, cache_age } = response.json<{ html: string; cache_age: number }>()
    expect(html).toContain(`<iframe src="${page}/embed"`)
    expect(html).not.toContain('<script')
    expect(html.match(/[<>]/g)).toHaveLength(4)
    expect(cache_age).toBe(3_600)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
  })

  it('fits into the requested size, and never exceeds the default', async () => {
    expect((await oembed(page, '&maxwidth=300&maxheight=99999')).json()).toMatchObject({
      width: 300,
      height: 480,
    })
    for (const size of ['0', '-1', '1e3', '100000', 'x', ''])
      expect((await oembed(page, `&maxwidth=${size}`)).json().code, size).toBe('validation_failed')
  })

  it('accepts a URL as people copy it: with a query, a deep link, or of the embedded page', async () => {
    for (const url of [`${page}#/csv`, `${page}?x=1`, `${page}/embed?theme=dark`])
      expect((await oembed(url)).status, url).toBe(200)
  })

  it('accepts no other URL', async () => {
    const base = page.slice(0, -`/s/${id}`.length)
    const foreign = [
      `https://other.example/s/${id}`,
      `${base}.other.example/s/${id}`,
      `${base}/s/${id}/x`,
      `${base}/s/${id.slice(1)}`,
      `${base}/api/shares/${id}`,
      `${base}/s/AAAAAAAAAAAAAAAAAAAAAA`,
      'javascript:alert(1)',
      '',
    ]
    for (const url of foreign) expect((await oembed(url)).status, url).toBe(404)
    expect((await anyone.get('/oembed')).status).toBe(400)
    const xml = await oembed(page, '&format=xml')
    expect([xml.status, xml.json().code]).toEqual([501, 'not_implemented'])
  })

  it('is linked in the head of the page, beside the preview metadata', async () => {
    const { text } = await anyone.get(new URL(page).pathname)
    const [head = ''] = text.split('</head>')
    const [, href = ''] =
      /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/.exec(head) ?? []
    const { pathname, search } = new URL(href.replaceAll('&amp;', '&'))
    expect((await anyone.get(pathname + search)).json().title).toBe(title)
    expect(head).toContain(`<meta property="og:url" content="${page}">`)
    expect(head).toContain('<meta name="twitter:card" content="summary">')
    expect(head).not.toContain('og:image')
  })
})

describe('the embedded page', () => {
  const policyOf = async (path: string) => {
    const response = await anyone.get(path)
    return [
      response.status,
      /frame-ancestors ([^;]+)/.exec(response.headers.get('content-security-policy') ?? '')?.[1],
    ]
  }

  it('may be framed by any page, and so may its expired version; no other page may', async () => {
    expect(await policyOf(`/s/${id}/embed`)).toEqual([200, '*'])
    expect(await policyOf(`/s/${id}/embed?view=tree&theme=dark&pointer=/csv`)).toEqual([200, '*'])
    expect(await policyOf('/s/AAAAAAAAAAAAAAAAAAAAAA/embed')).toEqual([404, '*'])
    const others = [
      `/s/${id}`,
      '/',
      '/dashboard',
      `/s/${id}/embed/`,
      `/s/${id}/embed2`,
      '/s/x/embed',
      '/embed',
    ]
    for (const path of others) expect((await policyOf(path))[1], path).toBe("'none'")
    await system.expireShares([id], -1)
    expect(await policyOf(`/s/${id}/embed`)).toEqual([410, '*'])
    await system.expireShares([id], 3_600_000)
  })

  it('runs only scripts with its nonce, is not indexed and sets no cookie', async () => {
    const [one, other] = [await anyone.get(`/s/${id}/embed`), await anyone.get(`/s/${id}/embed`)]
    const nonceOf = (text: string) => /<script type="module" nonce="([^"]+)"/.exec(text)?.[1]
    expect(nonceOf(one.text)).not.toBe(nonceOf(other.text))
    expect(one.headers.get('content-security-policy')).toContain(`script-src 'nonce-${nonceOf(one.text)}'`)
    expect(one.headers.get('x-robots-tag')).toBe('noindex')
    expect(one.headers.get('set-cookie')).toBeNull()
    expect(one.headers.get('x-frame-options')).toBeNull()
    expect(one.text).not.toContain('<script>alert')
    expect(one.text).not.toContain('dashboard')
  })
})
