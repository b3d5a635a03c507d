import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findTool } from '#engine/tools/registry.js'
import { readConfig } from './config.js'
import { createPublicFiles } from './public-files.js'
import { siteAt } from './site.js'
import { testAssets } from './testing/test-assets.js'
import { testSite } from './testing/test-site.js'

const now = new Date('2026-01-04T03:04:05.678Z')
const fileOf = (path: string, settings: Parameters<typeof siteAt>[2] = {}) =>
  createPublicFiles(siteAt('https://snip.example', 'https://snip.example', settings), testAssets)(path, now)

describe('security.txt', () => {
  const path = '/.well-known/security.txt'

  it('says whom to tell, until a day that is always ahead', () => {
    const found = fileOf(path, { securityContact: 'mailto:security@snip.example' })
    expect(String(found?.body)).toBe(`Contact: mailto:security@snip.example
Expires: 2026-04-04T00:00:00Z
Preferred-Languages: en
Canonical: https://snip.example/.well-known/security.txt
`)
    expect(found?.headers['Content-Type']).toBe('text/plain; charset=utf-8')
  })

  it('is not there without SECURITY_CONTACT, and nor is any other file beside it', () => {
    for (const missing of [path, '/.well-known/assetlinks.json'])
      expect(fileOf(missing)?.status, missing).toBe(404)
  })

  it('has a contact that RFC 9116 allows, and nothing that adds a line', () => {
    const contactIn = (SECURITY_CONTACT: string) => readConfig({ SECURITY_CONTACT }).site.securityContact
    for (const contact of ['mailto:security@snip.example', 'https://snip.example/security'])
      expect(contactIn(contact)).toBe(contact)
    for (const wrong of [
      'security@snip.example',
      'http://snip.example',
      'mailto:a@b\nExpires: x',
      'https://{share}',
    ])
      expect(() => contactIn(wrong), wrong).toThrow(/SECURITY_CONTACT must be an https: or mailto: address/)
  })
})

describe('the web app manifest', () => {
  const manifestOf = (settings: Parameters<typeof siteAt>[2] = {}) =>
    JSON.parse(String(fileOf('/manifest.webmanifest', settings)?.body))

  it('begins with the tools, or where there are none with the dashboard', () => {
    expect(manifestOf()).toMatchObject({ name: 'Snipkeep', scope: '/', start_url: '/tools' })
    expect(manifestOf({ tools: false }).start_url).toBe('/dashboard')
  })

  it('has what other apps share answered by the service worker of the tools, which is no tool', () => {
    const { action, method } = manifestOf().share_target
    expect([action, method]).toEqual(['/tools/shared', 'POST'])
    expect(findTool('shared')).toBeNull()
    expect(manifestOf({ tools: false }).share_target).toBeUndefined()
  })

  it('names icons that exist, in the sizes that it says', () => {
    const icons: readonly { src: string; type: string; sizes: string }[] = manifestOf().icons
    expect(icons.map(({ type }) => type)).toEqual(['image/svg+xml', 'image/png', 'image/png', 'image/png'])
    for (const { src, type, sizes } of icons) {
      if (type === 'image/svg+xml') {
        expect(String(fileOf(src)?.body)).toMatch(/^<svg /)
        continue
      }
      const bytes = readFileSync(new URL(`.${src}`, import.meta.url))
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, src).toBe(sizes)
    }
  })
})

it('pictures are shown by pages of any origin, and kept for a day', () => {
  expect(createPublicFiles(testSite, testAssets)('/images/icon-192.png', now)?.headers).toEqual({
    'Content-Type': 'image/png',
    'Cache-Control': 'public, max-age=86400',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
})
