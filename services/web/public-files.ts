import { html } from '#libs/html/html.js'
import { icon } from '#shared/page-head.js'
import type { Assets } from './assets.js'
import { indexablePaths, indexedPage } from './indexable-pages.js'
import { example } from './pages/example.js'
import { noStore, type PageResponse } from './pages/page.js'
import type { Site } from './site.js'
import { styleSheet, styleSheetPath } from './style-sheet.js'
import { manifestPath, webManifest } from './web-manifest.js'

/** Where people who have found a vulnerability look for whom to tell (RFC 9116). */
const securityTextPath = '/.well-known/security.txt'

const dayMs = 86_400_000
/** A copy that is older must not be trusted; RFC 9116 recommends less than a year. */
const validDays = 90

/** The file, valid from the day on which it is read. */
function securityTextResponse(contact: string, publicBaseUrl: string, now: Date): PageResponse {
  const today = Math.floor(now.getTime() / dayMs)
  const expires = new Date((today + validDays) * dayMs).toISOString().replace('.000Z', 'Z')
  const body = `Contact: ${contact}
Expires: ${expires}
Preferred-Languages: en
Canonical: ${publicBaseUrl}${securityTextPath}
`
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=86400' }
  return { status: 200, body: Buffer.from(body), headers }
}

const asText = 'text/plain; charset=utf-8'
const asIcon = 'image/svg+xml'
const forEver = 'public, max-age=31536000, immutable'
const forADay = 'public, max-age=86400'

export function fileResponse(
  body: string | Buffer,
  contentType: string,
  caching: string,
  status = 200,
): PageResponse {
  const headers = { 'Content-Type': contentType, 'Cache-Control': caching }
  return { status, body: Buffer.from(body), headers }
}

/** 404 for a program, which may take a page for what it looks for. */
export const noSuchFile = fileResponse('Not found.\n', asText, noStore['Cache-Control'], 404)

/** What crawlers may read. They see that a page is not for indexes only if they may read it, as link previews must. */
function robotsText({ indexing, publicBaseUrl }: Site): string {
  if (!indexing) return 'User-agent: *\nDisallow: /\n'
  return `# Pages that are not for indexes say noindex themselves.
User-agent: *
Disallow:

Sitemap: ${publicBaseUrl}/sitemap.xml
`
}

function sitemap(site: Site): string {
  const urls = indexablePaths(site).flatMap((path) => {
    const found = indexedPage(site, path)
    return found === null ? [] : [html`<url><loc>${found.url}</loc></url>\n`]
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
${html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}</urlset>\n`.markup}`
}

/** Pages of other origins may show pictures, as those that preview links do. */
function pictureResponse(picture: Buffer): PageResponse {
  const { headers, ...found } = fileResponse(picture, 'image/png', forADay)
  return { ...found, headers: { ...headers, 'Cross-Origin-Resource-Policy': 'cross-origin' } }
}

/** Returns the file at a fixed path. */
export type FindPublicFile = (path: string, now: Date) => PageResponse | undefined

/** The files that pages, browsers and other programs look for at fixed paths. */
export function createPublicFiles(site: Site, { pictures }: Pick<Assets, 'pictures'>): FindPublicFile {
  const files = new Map<string, PageResponse>([
    [example.path, fileResponse(example.json, 'application/json', forEver)],
    [styleSheetPath, fileResponse(styleSheet, 'text/css; charset=utf-8', forEver)],
    ['/robots.txt', fileResponse(robotsText(site), asText, forADay)],
    ['/sitemap.xml', site.indexing ? fileResponse(sitemap(site), 'application/xml', forADay) : noSuchFile],
    ['/favicon.ico', fileResponse(icon, asIcon, forADay)],
    ['/images/icon.svg', fileResponse(icon, asIcon, forADay)],
    [manifestPath, fileResponse(webManifest(site), 'application/manifest+json', forADay)],
    ['/healthz', fileResponse('ok', asText, 'no-store')],
    ...[...pictures].map(([path, picture]) => [path, pictureResponse(picture)] as const),
  ])
  return (path, now) => {
    if (path === securityTextPath && site.securityContact !== null)
      return securityTextResponse(site.securityContact, site.publicBaseUrl, now)
    return files.get(path) ?? (path.startsWith('/.well-known/') ? noSuchFile : undefined)
  }
}
