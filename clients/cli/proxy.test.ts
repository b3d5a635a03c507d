import { describe, expect, it } from 'vitest'
import { namesProxy, proxyFor } from './proxy.js'

const found = (url: string, env: Readonly<Record<string, string>>): string | null =>
  proxyFor(new URL(url), env)?.href ?? null
const https = { HTTPS_PROXY: 'http://proxy.example:3128' }

describe('a proxy', () => {
  it.each([
    [{}, null],
    [{ HTTPS_PROXY: '' }, null],
    [https, 'http://proxy.example:3128/'],
    [{ HTTP_PROXY: 'http://other.example' }, null],
    [{ ...https, https_proxy: 'http://lower.example' }, 'http://lower.example/'],
    [{ HTTPS_PROXY: 'proxy.example:3128' }, 'http://proxy.example:3128/'],
    [{ HTTPS_PROXY: 'https://me:word@proxy.example' }, 'https://me:word@proxy.example/'],
  ] as const)('is named by %o', (env, proxy) => {
    expect(found('https://snip.example/api', env)).toBe(proxy)
  })

  it('of HTTP_PROXY is for http alone', () => {
    const env = { HTTP_PROXY: 'http://plain.example', ...https }
    expect(found('http://snip.example', env)).toBe('http://plain.example/')
    expect(found('https://snip.example', env)).toBe('http://proxy.example:3128/')
    expect([namesProxy(env), namesProxy({ NO_PROXY: '*' })]).toEqual([true, false])
  })

  it.each(['socks5://proxy.example:1080', 'http://', 'ftp://proxy.example', 'http://a b'])(
    'that is none is refused: %s',
    (proxy) => {
      expect(() => found('https://snip.example', { HTTPS_PROXY: proxy })).toThrow(
        'HTTPS_PROXY must be the address of an HTTP proxy',
      )
    },
  )

  it.each([
    ['snip.example', 'https://snip.example', true],
    ['example', 'https://snip.example', true],
    ['.example', 'https://snip.example', true],
    ['*.example', 'https://a.snip.example', true],
    ['SNIP.Example', 'https://snip.example', true],
    ['other.example, snip.example', 'https://snip.example', true],
    ['other.example snip.example', 'https://snip.example', true],
    ['*', 'https://snip.example', true],
    ['snip.example:443', 'https://snip.example', true],
    ['snip.example:8443', 'https://snip.example', false],
    ['snip.example:8443', 'https://snip.example:8443', true],
    ['nip.example', 'https://snip.example', false],
    ['snip.example.org', 'https://snip.example', false],
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['10.0.0.0/99', 'https://10.1.2.3', false],
    ['10.1.2.3', 'https://10.1.2.3', true],
    ['2.3', 'https://10.1.2.3', false],
    ['[::1]', 'https://[::1]:8080', true],
    ['fd00::/8', 'https://[fd12::1]', true],
    ['fd00::/8', 'https://snip.example', false],
    ['', 'https://snip.example', false],
  ])('is not for what NO_PROXY=%s means: %s, %s', (NO_PROXY, url, isMeant) => {
    expect(found(url, { ...https, NO_PROXY }) === null).toBe(isMeant)
    expect(found(url, { ...https, no_proxy: NO_PROXY }) === null).toBe(isMeant)
  })
})
