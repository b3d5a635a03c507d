import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Logger } from '#libs/log/logger.js'
import { observeResponse } from '#libs/telemetry/observe-http.js'
import { apiReferenceFiles } from '#shared/core/api-reference.js'
import { pageNonceHeader } from '#shared/core/page-nonce.js'
import { grantHeader, revealErrorHeader } from '#shared/core/share-grant.js'
import type { IndexedPage } from '#shared/page-head.js'
import { assetResponse } from './asset-response.js'
import type { Assets, PageName } from './assets.js'
import { apiReferenceFile, guidesResponse, isGuidePath } from './guides-response.js'
import { indexedPage } from './indexable-pages.js'
import { cliCallbackPath, cliCallbackResponse } from './pages/cli-callback-page.js'
import { compareFilesPage, comparePath } from './pages/compare-files-page.js'
import { dashboardPage } from './pages/dashboard-page.js'
import { embedPage } from './pages/embed-page.js'
import { landingPage } from './pages/landing-page.js'
import {
  compressed,
  contentSecurityPolicy,
  framedHeaders,
  type LivePage,
  noStore,
  type PageResponse,
  pageHeaders,
} from './pages/page.js'
import { sharePage } from './pages/share-page.js'
import { failurePage, noSharePage, notFoundPage, readOnlyPage } from './pages/status-pages.js'
import { createPublicFiles, type FindPublicFile, fileResponse } from './public-files.js'
import type { ShareReader } from './share-reader.js'
import {
  compareResponse,
  gatedResponse,
  notAloneResponse,
  reportResponse,
  shareResponse,
} from './share-response.js'
import { dashboardConfig, type SignInSettings, signInOrigins } from './sign-in-settings.js'
import type { Site } from './site.js'
import { createToolsResponse, type ToolsResponse } from './tools-response.js'

export interface PageServerDependencies {
  readonly shares: ShareReader
  readonly assets: Assets
  readonly signIn: SignInSettings | null
  readonly site: Site
  readonly log: Logger
}

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID()
}

/** A page with a script: what it loads, and the CSP that allows it. */
function livePage(
  assets: Assets,
  name: PageName,
  connect: readonly string[],
  nonce = randomBytes(16).toString('base64'),
): { readonly live: LivePage; readonly headers: Readonly<Record<string, string>> } {
  return {
    live: {
      assets: assets.of(name),
      nonce,
      ...(name === 'share' ? { markdown: assets.of('share-markdown') } : {}),
    },
    headers: { 'Content-Security-Policy': contentSecurityPolicy({ nonce, connect }) },
  }
}

function isDashboard(path: string): boolean {
  return path === '/auth/callback' || path === '/dashboard' || path.startsWith('/dashboard/')
}

/** The page that compares files; what is named in the query is compared in the dashboard. */
function comparePageResponse(
  { assets, site }: PageServerDependencies,
  request: IncomingMessage,
): PageResponse {
  const search = searchOf(request)
  if (search.has('a') || search.has('b')) {
    const query = (request.url ?? '').slice(comparePath.length)
    const headers = { ...noStore, Location: `/dashboard${comparePath}${query}` }
    return { status: 302, body: Buffer.alloc(0), headers }
  }
  const { live, headers } = livePage(assets, 'compare', [])
  const body = compareFilesPage(site, live)
  return { status: 200, body, headers: { 'Cache-Control': 'private, max-age=60', ...headers } }
}

/** The gateway's placeholder for the nonce: it caches pages of shares, and gives each copy its own. */
function nonceOf({ headers }: IncomingMessage): string | undefined {
  const given = headers[pageNonceHeader]
  return typeof given === 'string' && /^[0-9a-f]{32}$/.test(given) ? given : undefined
}

/** The page of a share, alone, for a frame, for a report, or compared with another one. */
const sharePath = /^\/s\/([0-9A-Za-z]{22})(?:(\/embed)|(\/report)|(\/compare)(?:\/([0-9A-Za-z]{22}))?)?$/
/** The same if one of them is gated. */
const gatedPath =
  /^\/s\/(?:([0-9A-Za-z]{24})(?:(\/embed)|(\/report)|(\/compare)(?:\/[0-9A-Za-z]{22,24})?)?|[0-9A-Za-z]{22}\/compare\/([0-9A-Za-z]{24}))$/

function searchOf({ url }: IncomingMessage): URLSearchParams {
  return new URLSearchParams(url?.replace(/^[^?]*/, ''))
}

function headerOf({ headers }: IncomingMessage, name: string): string {
  const given = headers[name]
  return typeof given === 'string' ? given : ''
}

async function gatedPageResponse(
  { shares, assets, site }: PageServerDependencies,
  path: string,
  request: IncomingMessage,
  requestId: string,
): Promise<PageResponse | null> {
  const [, id, embed, report, compare, other] = gatedPath.exec(path) ?? []
  if (other !== undefined) return notAloneResponse(site, other)
  if (id === undefined) return null
  if (compare !== undefined) return notAloneResponse(site, id)
  if (embed !== undefined) {
    const found = notAloneResponse(site, id)
    return { ...found, headers: { ...framedHeaders(null), ...found.headers } }
  }
  const asked = { id, requestId, now: new Date(), site, grant: headerOf(request, grantHeader) }
  if (report !== undefined) return reportResponse(shares, { ...asked, search: searchOf(request) })
  const { live, headers } = livePage(assets, 'share', [])
  const error = headerOf(request, revealErrorHeader)
  return gatedResponse(shares, { ...asked, live, liveHeaders: headers, error })
}

/** The response to a path below `/s/` that is not gated. */
async function ungatedPageResponse(
  { shares, assets, site }: PageServerDependencies,
  path: string,
  request: IncomingMessage,
  requestId: string,
): Promise<PageResponse> {
  const [, id, embed, report, compare, other = null] = sharePath.exec(path) ?? []
  if (id === undefined) return { status: 404, body: noSharePage(site), headers: noStore }
  const asked = { id, requestId, now: new Date(), site }
  if (report !== undefined)
    return reportResponse(shares, { ...asked, grant: null, search: searchOf(request) })
  if (compare !== undefined) {
    const { live, headers } = livePage(assets, 'compare', [])
    return compareResponse(shares, { ...asked, ids: [id, other], live, liveHeaders: headers })
  }
  if (embed === undefined) {
    const { live, headers } = livePage(assets, 'share', [], nonceOf(request))
    return shareResponse(shares, { ...asked, live, liveHeaders: headers, pageOf: sharePage })
  }
  const { live } = livePage(assets, 'embed', [])
  const liveHeaders = framedHeaders({ nonce: live.nonce, connect: [] })
  const found = await shareResponse(shares, { ...asked, live, liveHeaders, pageOf: embedPage })
  return { ...found, headers: { ...framedHeaders(null), ...found.headers } }
}

type ServerDependencies = PageServerDependencies & {
  readonly tools: ToolsResponse
  readonly findFile: FindPublicFile
}

/** The response that is the same for everyone, apart from its nonce. */
async function publicResponse(
  parts: ServerDependencies,
  path: string,
  request: IncomingMessage,
  requestId: string,
): Promise<PageResponse> {
  if (path.startsWith('/s/')) return ungatedPageResponse(parts, path, request, requestId)
  const file = parts.findFile(path, new Date())
  if (file !== undefined) return file
  switch (path) {
    case '/': {
      const { live, headers } = livePage(parts.assets, 'landing', [])
      const body = landingPage(parts.site, live)
      return { status: 200, body, headers: { 'Cache-Control': 'private, max-age=60', ...headers } }
    }
    case '/config.json':
      return fileResponse(
        JSON.stringify(dashboardConfig(parts.signIn, parts.site)),
        'application/json',
        'no-cache',
      )
    case apiReferenceFiles.script:
    case apiReferenceFiles.style:
      return apiReferenceFile(parts.assets, path)
    case comparePath:
      return comparePageResponse(parts, request)
  }
  if (isGuidePath(path)) return guidesResponse(parts, path, searchOf(request))
  const asset = parts.assets.find(path)
  if (asset !== undefined) return assetResponse(asset, request.headers['accept-encoding'])
  if (isDashboard(path)) {
    const { live, headers } = livePage(parts.assets, 'dashboard', signInOrigins(parts.signIn))
    return { status: 200, body: dashboardPage(live, parts.site.tools), headers: { ...noStore, ...headers } }
  }
  const isTool = path === '/tools' || path.startsWith('/tools/')
  const found = isTool ? await parts.tools(path, request.headers['accept-encoding']) : null
  return found ?? { status: 404, body: notFoundPage(parts.site, path), headers: noStore }
}

async function responseTo(
  parts: ServerDependencies,
  path: string,
  request: IncomingMessage,
  requestId: string,
): Promise<PageResponse> {
  // The gateway handles the form of a gated share, and passes on only those that its page must respond to.
  const isRefusedForm = request.method === 'POST' && request.headers[revealErrorHeader] !== undefined
  if (request.method !== 'GET' && request.method !== 'HEAD' && !isRefusedForm) {
    return { status: 405, body: readOnlyPage(parts.site), headers: { ...noStore, Allow: 'GET, HEAD' } }
  }
  // What holds a secret is not compressed: its length would say something of it beside what a stranger chose.
  if (path === cliCallbackPath) return cliCallbackResponse(parts.site, searchOf(request))
  const gated = await gatedPageResponse(parts, path, request, requestId)
  if (gated !== null) return gated
  return compressed(await publicResponse(parts, path, request, requestId), request.headers['accept-encoding'])
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?')[0] ?? '/'
}

const filePaths =
  /^\/(healthz|robots\.txt|sitemap\.xml|favicon\.ico|manifest\.webmanifest|\.well-known\/security\.txt)$/

/** The template of a path, for metrics. */
function routeOf(path: string): string {
  if (path.startsWith('/s/')) {
    if (path.includes('/compare')) return '/s/{id}/compare'
    if (path.endsWith('/report')) return '/s/{id}/report'
    return path.endsWith('/embed') ? '/s/{id}/embed' : '/s/{id}'
  }
  if (path.startsWith('/assets/') || path.startsWith('/tools/assets/')) return '/assets/{name}'
  if (path.startsWith('/tools/')) return '/tools/{name}'
  if (path.startsWith('/docs/')) return '/docs/{name}'
  if (isDashboard(path)) return '/dashboard'
  const fixed = [
    '/',
    '/config.json',
    '/tools',
    '/docs',
    comparePath,
    cliCallbackPath,
    ...Object.values(apiReferenceFiles),
  ]
  if (path.startsWith('/images/')) return '/images/{name}'
  return fixed.includes(path) || filePaths.test(path) ? path : 'none'
}

function send(
  response: ServerResponse,
  { status, body, headers }: PageResponse,
  indexed: IndexedPage | null,
): void {
  response.writeHead(status, {
    ...pageHeaders,
    ...(status === 200 && indexed !== null ? {} : { 'X-Robots-Tag': 'noindex' }),
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': body.length,
    ...headers,
  })
  response.end(body)
}

/** The server of the pages. */
export function createPageServer(parts: PageServerDependencies): Server {
  const { log, assets, site, signIn } = parts
  const tools = createToolsResponse({ assets, site, connect: signInOrigins(signIn) })
  const findFile = createPublicFiles(site, assets)
  const respond = (request: IncomingMessage, response: ServerResponse, requestId: string): void => {
    const path = pathOf(request)
    responseTo({ ...parts, tools, findFile }, path, request, requestId)
      .catch((error: unknown): PageResponse => {
        log.error({ event: 'unexpected_error', err: error, request_id: requestId }, 'unexpected error')
        return { status: 500, body: failurePage(parts.site), headers: noStore }
      })
      .then((found) => {
        send(response, found, indexedPage(site, path))
        log.debug({ event: 'page', request_id: requestId, status: found.status }, 'page')
      })
      .catch(() => response.destroy())
  }
  return createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    const requestId = requestIdOf(request)
    observeResponse(request, response, { route: routeOf(pathOf(request)), requestId }, () => {
      respond(request, response, requestId)
    })
  })
}
