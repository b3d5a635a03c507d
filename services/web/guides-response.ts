import { randomBytes } from 'node:crypto'
import { apiReferenceFiles } from '#shared/core/api-reference.js'
import type { Assets } from './assets.js'
import { findHeadings, type SearchedGuide } from './find-headings.js'
import type { Guide } from './guides.js'
import { guidePage } from './pages/guide-page.js'
import { guidesPage } from './pages/guides-page.js'
import { contentSecurityPolicy, type LivePage, noStore, type PageResponse } from './pages/page.js'
import { fileResponse } from './public-files.js'
import type { Site } from './site.js'
import { styleSheet } from './style-sheet.js'

const guidesPath = '/docs'
const headingsPath = `${guidesPath}/headings.json`

/** What a link meant that was made of the name of a file, or ends with a slash. */
const nearlyPath = /^(\/docs(?:\/[\w-]+)?)(?:\/|\.md)$/

/** What the script searches as the reader types. */
function headingsResponse(guides: readonly Guide[]): PageResponse {
  const searched = guides.map(({ name, title, headings }): SearchedGuide => ({ name, title, headings }))
  return fileResponse(JSON.stringify(searched), 'application/json', 'public, max-age=300')
}

/** Serves the guides: the list with its search at `/docs`, and each at `/docs/{name}`. */
export function guidesResponse(
  { assets, site }: { readonly assets: Assets; readonly site: Site },
  path: string,
  search: URLSearchParams,
): PageResponse {
  const { guides } = assets
  if (path === headingsPath) return headingsResponse(guides)
  const nonce = randomBytes(16).toString('base64')
  const live: LivePage = { assets: assets.of('guide'), nonce }
  const policy = contentSecurityPolicy({ nonce, connect: [], forms: true })
  const headers = { 'Content-Security-Policy': policy, 'Cache-Control': 'private, max-age=300' }
  const guide = guides.find(({ name }) => path === `${guidesPath}/${name}`)
  if (guide !== undefined) return { status: 200, body: guidePage(guide, guides, site, live), headers }
  const [, meant] = nearlyPath.exec(path) ?? []
  if (meant !== undefined)
    return { status: 301, body: Buffer.alloc(0), headers: { ...noStore, Location: meant } }
  if (path !== guidesPath) {
    const body = guidesPage(guides, site, live, 'missing')
    return { status: 404, body, headers: { ...headers, ...noStore } }
  }
  const asked = (search.get('q') ?? '').trim().slice(0, 200)
  const found = asked === '' ? 'all' : { asked, headings: findHeadings(guides, asked) }
  const robots = found === 'all' ? {} : { 'X-Robots-Tag': 'noindex' }
  return { status: 200, body: guidesPage(guides, site, live, found), headers: { ...headers, ...robots } }
}

/** What the gateway's reference of the API loads, at addresses that stay: the script and the style of the guides. */
export async function apiReferenceFile(assets: Assets, path: string): Promise<PageResponse> {
  const { script, style } = assets.of('guide')
  const caching = 'public, max-age=300'
  if (path === apiReferenceFiles.script)
    return fileResponse(`import ${JSON.stringify(script)}\n`, 'text/javascript; charset=utf-8', caching)
  const sheet = await assets.find(style ?? '')?.read(null)
  return fileResponse(sheet ?? styleSheet, 'text/css; charset=utf-8', caching)
}
