import { describe, expect, it } from 'vitest'
import { reportAddress } from './pages/share-footer.js'
import { sharePage } from './pages/share-page.js'
import { abuseAddress, type Site, siteAt } from './site.js'
import { hostileTexts } from './testing/hostile-texts.js'
import { parsePage } from './testing/parse-page.js'
import { preview, previewId } from './testing/previews.js'
import { testAssets } from './testing/test-assets.js'
import { testSite, testSiteApart } from './testing/test-site.js'

const share = `https://shares.example/s/${previewId}`
const at = (abuseUrl: string | null): Site =>
  siteAt('https://snip.example', 'https://shares.example', { abuseUrl })
const rendered = (site: Site, title = 'Title') =>
  parsePage(
    sharePage(preview('{"n":1}', { title }), {
      now: new Date('2026-01-04T03:04:05.678Z'),
      live: { assets: testAssets.of('share'), nonce: 'bm9uY2U=' },
      site,
    }).toString(),
  )

describe('a report of a share', () => {
  it.each([
    ['https://snip.example/abuse', 'https://snip.example/abuse'],
    [
      'https://snip.example/abuse?about={share}&again={share}',
      `https://snip.example/abuse?about=${encodeURIComponent(share)}&again=${encodeURIComponent(share)}`,
    ],
    [
      'mailto:abuse@snip.example',
      `mailto:abuse@snip.example?subject=A%20report&body=${encodeURIComponent(share)}`,
    ],
    ['mailto:abuse@snip.example?subject=Look', 'mailto:abuse@snip.example?subject=Look'],
    [
      'mailto:abuse@snip.example?body=About%20{share}',
      `mailto:abuse@snip.example?body=About%20${encodeURIComponent(share)}`,
    ],
  ])('goes to %s with the address of the share', (abuseUrl, address) => {
    expect(abuseAddress(abuseUrl)).toBe(abuseUrl)
    expect(reportAddress(at(abuseUrl), previewId, 'A report')).toBe(address)
  })

  it.each([
    'http://snip.example/abuse',
    'javascript:alert(1)',
    'data:text/html,x',
    'snip.example/abuse',
    'https://',
    'https:///x',
    'mailto:',
    'mailto:nobody',
    'https://snip.example/"onclick="x',
    'https://snip.example/ x',
    'https://snip.example/{other}',
  ])('does not go to %s', (abuseUrl) => {
    expect(() => abuseAddress(abuseUrl)).toThrow('an https: or mailto: address')
  })
})

describe('the page of a share', () => {
  it('always says that the content is not the operator’s', () => {
    for (const site of [testSite, testSiteApart])
      expect(rendered(site).textOf('footer')).toContain('operator has not checked it')
  })

  it('links to the report address, or to the report page', () => {
    const report = '<a href="" rel="">'
    const own = rendered(testSite)
    expect(own.tags.filter((tag) => tag === report)).toHaveLength(1)
    expect(own.attributeOf(`<a href="/s/${previewId}/report`, 'href')).toBe(`/s/${previewId}/report`)
    const page = rendered(testSiteApart)
    expect(page.tags.filter((tag) => tag === report)).toHaveLength(1)
    expect(page.attributeOf('<a href="mailto:', 'href')).toBe(
      `mailto:abuse@snip.example?subject=Report%20of%20a%20share&body=${encodeURIComponent(share)}`,
    )
  })

  it('includes nothing of the share but its URL', () => {
    const address = (title: string) => rendered(testSiteApart, title).attributeOf('<a href="mailto:', 'href')
    for (const title of hostileTexts) expect(address(title), title).toBe(address('Title'))
  })

  it('leads its owner to where the dashboard asks whether to delete it', () => {
    for (const [site, base] of [
      [testSite, ''],
      [testSiteApart, 'https://snip.example'],
    ] as const)
      expect(rendered(site).attributeOf('<a id="delete"', 'href')).toBe(
        `${base}/dashboard/shares/${previewId}`,
      )
  })

  it('leads to the home page on the other origin only if shares have their own', () => {
    expect(rendered(testSite).attributeOf('<a class="brand"', 'href')).toBe('/')
    expect(rendered(testSiteApart).attributeOf('<a class="brand"', 'href')).toBe('https://snip.example/')
  })
})
