import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { languageVary } from '#shared/core/page-language.js'
import { styleSheetPath } from './style-sheet.js'
import { preview, previewId } from './testing/previews.js'
import { servePages } from './testing/served-pages.js'

const gate = { hasPassword: true, viewsLeft: 1, sizeBytes: 11, expiresAt: null, timeLeftMs: null }
const share = preview(JSON.stringify({ csv: 'a,b\n1,2\n'.repeat(500) }))
const shares = {
  read: async () => share,
  readGated: async (_id: string, grant: string) =>
    grant === '' ? ({ open: false, gate } as const) : ({ open: true, gate, share } as const),
  close() {},
}
let pages: Awaited<ReturnType<typeof servePages>>

beforeAll(async () => {
  pages = await servePages({ shares })
})
afterAll(() => pages.close())

const get = (path: string, headers: Record<string, string>, method = 'GET'): Promise<Response> =>
  fetch(`${pages.base}${path}`, { method, headers })

describe.each([
  '/',
  `/s/${previewId}`,
  `/s/${previewId}/embed`,
  `/s/${previewId}/compare`,
  '/tools',
  '/tools/json-format',
  '/docs',
  '/docs/cli',
  '/dashboard',
  '/no-such-page',
  styleSheetPath,
])('%s', (path) => {
  it.each(['br', 'gzip'])('is compressed by %s for who accepts it, and the same page', async (coding) => {
    const [plain, small] = await Promise.all(
      ['identity', coding].map((accepted) => get(path, { 'Accept-Encoding': accepted })),
    )
    expect([plain?.headers.get('content-encoding'), small?.headers.get('content-encoding')]).toEqual([
      null,
      coding,
    ])
    const vary = path === styleSheetPath ? 'Accept-Encoding' : `Accept-Encoding, ${languageVary}`
    for (const response of [plain, small]) expect(response?.headers.get('vary')).toBe(vary)
    expect(Number(small?.headers.get('content-length'))).toBeLessThan(
      Number(plain?.headers.get('content-length')) * 0.8,
    )
    const [one, other] = await Promise.all(
      [plain, small].map(async (response) => (await response?.text())?.replaceAll(/nonce="[^"]*"/g, '')),
    )
    expect(other).toBe(one)
    const head = await get(path, { 'Accept-Encoding': coding }, 'HEAD')
    expect([head.status, head.headers.get('content-encoding'), head.headers.get('vary')]).toEqual([
      small?.status,
      coding,
      vary,
    ])
  })
})

it.each([
  ['the form of a gated share', {}],
  ['a gated share that is open', { 'Snipkeep-Grant': 'a grant' }],
])('%s is never compressed: its size would tell about its secret', async (_name, headers) => {
  const response = await get(`/s/${'A'.repeat(24)}`, { ...headers, 'Accept-Encoding': 'br, gzip' })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-encoding')).toBeNull()
  expect((await response.text()).length).toBeGreaterThan(1_000)
})
