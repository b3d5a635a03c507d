import { randomBytes } from 'node:crypto'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Logger } from '#libs/log/logger.js'
import { requestIdOf } from '#libs/runtime/request-id.js'
import { observeResponse } from '#libs/telemetry/observe-http.js'
import { accessGrantHeader, revealErrorHeader } from '#shared/core/access-grant.js'
import { pageNonceHeader } from '#shared/core/page-nonce.js'
import { plansHeader } from '#shared/core/plans-header.js'
import { isGatedShareId } from '#shared/core/share-id.js'
import type { IndexedPage } from '#shared/page-head.js'
import { assetResponse } from './asset-response.js'
import type { Assets, PageName } from './assets.js'
import { apiReferenceFile, guidesResponse } from './guides-response.js'
import { indexedPage } from './indexable-pages.js'
import { languageHeaders, languageOf, languageResponse } from './language-response.js'
import { cliCallbackPath, cliCallbackResponse } from './pages/cli-callback-page.js'
import { compareFilesPage, comparePath } from './pages/compare-files-page.js'
import { dashboardPage } from './pages/dashboard-page.js'
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
import { embedPage, sharePage } from './pages/share-page.js'
import { failurePage, noSharePage, notFoundPage, readOnlyPage } from './pages/status-pages.js'
import { readPlans } from './plans/read-plans.js'
import { createPublicFiles, type FindPublicFile, fileResponse } from './public-files.js'
import type { ShareReader } from './share-reader.js'
import {
  compareResponse,
  gatedResponse,
  notAloneResponse,
  reportResponse,
  shareResponse,
} from './share-response.js'
import { type SignInSettings, serverConfig, signInOrigins } from './sign-in-settings.js'
import type { Site } from './site.js'
import { speaking, speech } from './texts/speech.js'
import { createToolsResponse, type ToolsResponse } from './tools-response.js'

export interface PageServerDependencies {
  readonly shares: ShareReader
  readonly assets: Assets
  readonly signIn: SignInSettings | null
  readonly site: Site
  readonly log: Logger
}

type ServerDependencies = PageServerDependencies & {
  readonly tools: ToolsResponse
  readonly findFile: FindPublicFile
}

/** What is requested. */
interface PageRequest {
  readonly method: string | undefined
  readonly path: string
  /** As it was sent, with its question mark. */
  readonly query: string
  readonly search: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly requestId: string
  readonly route: Route
  /** What the path names: shares, or a language. */
  readonly ids: readonly string[]
}

type Found = PageResponse | null | undefined
/** Responds to a request; with nothing where there is no such page. */
type Respond = (parts: ServerDependencies, request: PageRequest) => Found | Promise<Found>

/** The paths of one form: how metrics call them, if not each by itself, a pattern, and what is there. */
type Route = readonly [template: string | null, pattern: RegExp, respond: Respond]

function requestOf({ url = '/', method, headers }: IncomingMessage): PageRequest {
  const [path = '/'] = url.split('?')
  const query = url.slice(path.length)
  const route = routes.find(([, pattern]) => pattern.test(path)) ?? anyFile
  const ids = (route[1].exec(path) ?? []).slice(1).filter((id) => id !== undefined)
  const search = new URLSearchParams(query)
  return { method, path, query, search, headers, requestId: requestIdOf({ headers }), route, ids }
}

/** A page with a script: what it loads, and the CSP that allows it. */
function livePage(
  assets: Assets,
  name: PageName,
  connect: readonly string[] = [],
  nonce = randomBytes(16).toString('base64'),
): { readonly live: LivePage; readonly liveHeaders: Readonly<Record<string, string>> } {
  const markdown = name === 'share' ? { markdown: assets.of('share-markdown') } : {}
  const liveHeaders = { 'Content-Security-Policy': contentSecurityPolicy({ nonce, connect }) }
  return { live: { assets: assets.of(name), nonce, ...markdown }, liveHeaders }
}

/** A page that is the same for everyone for a minute, apart from its nonce. */
function publicPage(
  assets: Assets,
  name: PageName,
  render: (live: LivePage) => Buffer,
  connect: readonly string[] = [],
): PageResponse {
  const { live, liveHeaders } = livePage(assets, name, connect)
  const headers = { 'Cache-Control': 'private, max-age=60', ...liveHeaders }
  return { status: 200, body: render(live), headers }
}

function headerOf({ headers }: PageRequest, name: string): string {
  const given = headers[name]
  return typeof given === 'string' ? given : ''
}

/** The gateway's placeholder for the nonce: it caches pages of shares, and gives each copy its own. */
function nonceOf(request: PageRequest): string | undefined {
  const given = headerOf(request, pageNonceHeader)
  return /^[0-9a-f]{32}$/.test(given) ? given : undefined
}

function aboutShare({ site }: ServerDependencies, { ids: [id = ''], requestId }: PageRequest) {
  return { id, requestId, now: new Date(), site }
}

const respondWithShare: Respond = (parts, request) => {
  const { shares, assets } = parts
  const asked = aboutShare(parts, request)
  if (!isGatedShareId(asked.id)) {
    const live = livePage(assets, 'share', [], nonceOf(request))
    return shareResponse(shares, { ...asked, ...live, pageOf: sharePage })
  }
  const [grant, error] = [headerOf(request, accessGrantHeader), headerOf(request, revealErrorHeader)]
  return gatedResponse(shares, { ...asked, ...livePage(assets, 'share'), grant, error })
}

const respondWithFrame: Respond = async (parts, request) => {
  const asked = aboutShare(parts, request)
  const { live } = livePage(parts.assets, 'embed')
  const liveHeaders = framedHeaders({ nonce: live.nonce, connect: [] })
  const found = isGatedShareId(asked.id)
    ? notAloneResponse(parts.site, asked.id)
    : await shareResponse(parts.shares, { ...asked, live, liveHeaders, pageOf: embedPage })
  return { ...found, headers: { ...framedHeaders(null), ...found.headers } }
}

const respondWithReport: Respond = (parts, request) => {
  const asked = aboutShare(parts, request)
  const grant = isGatedShareId(asked.id) ? headerOf(request, accessGrantHeader) : null
  return reportResponse(parts.shares, { ...asked, grant, search: request.search })
}

const respondWithComparedShares: Respond = (parts, request) => {
  const [, other = null] = request.ids
  const gated = request.ids.find(isGatedShareId)
  if (gated !== undefined) return notAloneResponse(parts.site, gated)
  const asked = { ...aboutShare(parts, request), other }
  return compareResponse(parts.shares, { ...asked, ...livePage(parts.assets, 'compare') })
}

/** Leads to a page of the dashboard. */
function inDashboard(path: string): PageResponse {
  return { status: 302, body: Buffer.alloc(0), headers: { ...noStore, Location: `/dashboard${path}` } }
}

/** The page that compares files; what is named in the query is compared in the dashboard. */
const respondWithComparison: Respond = ({ assets, site }, { search, query }) => {
  if (!search.has('a') && !search.has('b'))
    return publicPage(assets, 'compare', (live) => compareFilesPage(site, live))
  return inDashboard(`${comparePath}${query}`)
}

/** The address of a check that reports and comments have. */
const respondWithCheck: Respond = (_parts, { path }) => inDashboard(path)

const respondWithDashboard: Respond = ({ assets, signIn, site }) => {
  const { live, liveHeaders } = livePage(assets, 'dashboard', signInOrigins(signIn))
  return { status: 200, body: dashboardPage(live, site.tools), headers: { ...noStore, ...liveHeaders } }
}

const respondWithHome: Respond = ({ assets, site, signIn }, request) => {
  const plans = readPlans(headerOf(request, plansHeader))
  const render = (live: LivePage): Buffer => landingPage(site, live, plans)
  return publicPage(assets, 'landing', render, signInOrigins(signIn))
}

const respondWithConfig: Respond = ({ signIn, site }) =>
  fileResponse(JSON.stringify(serverConfig(signIn, site)), 'application/json', 'no-cache')

const respondWithLanguage: Respond = ({ site }, { ids: [code = ''], headers }) =>
  languageResponse(site, code, headers.referer)

const respondWithTools: Respond = ({ tools }, { path, headers }) => tools(path, headers['accept-encoding'])

const respondWithFile: Respond = ({ findFile, assets }, { path, headers }) => {
  const asset = assets.find(path)
  return asset === undefined ? findFile(path, new Date()) : assetResponse(asset, headers['accept-encoding'])
}

const shareId = '([0-9A-Za-z]{22}|[0-9A-Za-z]{24})'
const ofShare = (rest: string): RegExp => new RegExp(`^/s/${shareId}${rest}$`)

/** Files with fixed paths; there are others below `/.well-known/`. */
const files =
  /^\/(?:healthz|robots\.txt|sitemap\.xml|favicon\.ico|manifest\.webmanifest|\.well-known\/security\.txt)$/

/** The first whose pattern a path has. */
const routes: readonly Route[] = [
  ['/s/{id}', ofShare(''), respondWithShare],
  ['/s/{id}/embed', ofShare('/embed'), respondWithFrame],
  ['/s/{id}/report', ofShare('/report'), respondWithReport],
  ['/s/{id}/compare', ofShare(`/compare(?:/${shareId})?`), respondWithComparedShares],
  ['/s/{id}', /^\/s\//, ({ site }) => ({ status: 404, body: noSharePage(site), headers: noStore })],
  ['/', /^\/$/, respondWithHome],
  ['/config.json', /^\/config\.json$/, respondWithConfig],
  [comparePath, /^\/compare$/, respondWithComparison],
  [cliCallbackPath, /^\/cli\/callback$/, ({ site }, { search }) => cliCallbackResponse(site, search)],
  ['/checks/{id}', /^\/checks\/[^/]+$/, respondWithCheck],
  ['/dashboard', /^\/(?:auth\/callback|dashboard(?:\/.*)?)$/, respondWithDashboard],
  ['/language/{code}', /^\/language\/([a-z]+)$/, respondWithLanguage],
  ['/tools', /^\/tools$/, respondWithTools],
  ['/assets/{name}', /^\/tools\/assets\//, respondWithTools],
  ['/tools/{name}', /^\/tools\//, respondWithTools],
  ['/docs', /^\/docs$/, (parts, { path, search }) => guidesResponse(parts, path, search)],
  ['/docs/{name}', /^\/docs\//, (parts, { path, search }) => guidesResponse(parts, path, search)],
  [null, /^\/api-reference\.(?:js|css)$/, ({ assets }, { path }) => apiReferenceFile(assets, path)],
  ['/assets/{name}', /^\/assets\//, respondWithFile],
  ['/images/{name}', /^\/images\//, respondWithFile],
  [null, files, respondWithFile],
]

/** Other files have a few fixed paths. */
const anyFile: Route = ['none', /^/, respondWithFile]

async function responseTo(parts: ServerDependencies, request: PageRequest): Promise<PageResponse> {
  const { method, route, path, headers, ids } = request
  // The gateway handles the form of a gated share, and passes on only those that its page must respond to.
  const isRefusedForm = method === 'POST' && headers[revealErrorHeader] !== undefined
  if (method !== 'GET' && method !== 'HEAD' && !isRefusedForm)
    return { status: 405, body: readOnlyPage(parts.site), headers: { ...noStore, Allow: 'GET, HEAD' } }
  const [, , respond] = route
  const missing = { status: 404, body: notFoundPage(parts.site, path), headers: noStore }
  const found = (await respond(parts, request)) ?? missing
  // What holds a secret is not compressed: its length would say something of it beside what a stranger chose.
  const isSecret = path === cliCallbackPath || ids.some(isGatedShareId)
  return isSecret ? found : compressed(found, headers['accept-encoding'])
}

function send(
  response: ServerResponse,
  { status, body, headers }: PageResponse,
  indexed: IndexedPage | null,
): void {
  const isPage = headers['Content-Type'] === undefined && headers.Location === undefined
  response.writeHead(status, {
    ...pageHeaders,
    ...(status === 200 && indexed !== null ? {} : { 'X-Robots-Tag': 'noindex' }),
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': body.length,
    ...headers,
    ...(isPage ? languageHeaders(speech.language, headers) : {}),
  })
  response.end(body)
}

/** The server of the pages. */
export function createPageServer(parts: PageServerDependencies): Server {
  const { log, assets, site, signIn } = parts
  const tools = createToolsResponse({ assets, site, connect: signInOrigins(signIn) })
  const findFile = createPublicFiles(site, assets)
  const respond = (request: PageRequest, response: ServerResponse): void => {
    const { path, requestId } = request
    responseTo({ ...parts, tools, findFile }, request)
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
    const asked = requestOf(request)
    const about = { route: asked.route[0] ?? asked.path, requestId: asked.requestId }
    observeResponse(request, response, about, () =>
      speaking(languageOf(request.headers), () => respond(asked, response)),
    )
  })
}
