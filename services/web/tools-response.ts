import { createHash, randomBytes } from 'node:crypto'
import { findTool, tools } from '#engine/tools/registry.js'
import type { ToolDescription } from '#engine/tools/tool.js'
import { acceptedCoding, type Encoded, encodedOnce } from '#libs/runtime/content-coding.js'
import { type PageLanguage, pageLanguages } from '#shared/core/page-language.js'
import { assetResponse } from './asset-response.js'
import type { Assets } from './assets.js'
import {
  contentSecurityPolicy,
  noStore,
  type PageResponse,
  pageHeaders,
  workerSecurityPolicy,
} from './pages/page.js'
import { toolPage } from './pages/tool-page.js'
import { toolsPage } from './pages/tools-page.js'
import type { Site } from './site.js'
import { speaking, speech } from './texts/speech.js'

/** What the pages of tools are made of. */
export interface ToolsDependencies {
  readonly assets: Assets
  readonly site: Site
  /** Origins that a sign-in connects to. */
  readonly connect: readonly string[]
}

/** Serves the paths below `/tools`; `null` for those that are not there. */
export type ToolsResponse = (path: string, acceptEncoding: string | undefined) => Promise<PageResponse | null>

const listPath = '/tools'
const workerPath = '/tools/service-worker.js'
const offlinePath = '/tools/offline.json'

/** Every page: the list, and one for each tool. */
const allTools: readonly (ToolDescription | null)[] = [null, ...tools]

function pathOf(tool: ToolDescription | null): string {
  return tool === null ? listPath : `${listPath}/${tool.name}`
}

function headersOf(nonce: string, connect: readonly string[]): Readonly<Record<string, string>> {
  return { 'Content-Security-Policy': contentSecurityPolicy({ nonce, connect, forms: true }) }
}

function rendered({ assets, site }: ToolsDependencies, tool: ToolDescription | null, nonce: string): Buffer {
  return tool === null
    ? toolsPage(site, { assets: assets.of('tool-list'), nonce })
    : toolPage(tool, site, { assets: assets.of('tool'), nonce })
}

function pageOf(parts: ToolsDependencies, tool: ToolDescription | null): PageResponse {
  const nonce = randomBytes(16).toString('base64')
  const headers = { 'Cache-Control': 'private, no-cache', ...headersOf(nonce, parts.connect) }
  return { status: 200, body: rendered(parts, tool, nonce), headers }
}

/**
 * All that the pages need without a network, in one response: the pages, with a mark that a fresh nonce replaces in each,
 * and what they load.
 */
async function offlineRelease(parts: ToolsDependencies, { version, paths }: Release): Promise<Buffer> {
  const nonce = randomBytes(16).toString('hex')
  const pages = allTools.map((tool) => [pathOf(tool), String(rendered(parts, tool, nonce))])
  const headers = {
    ...pageHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    ...headersOf(nonce, parts.connect),
  }
  const assets = await Promise.all(
    paths.map(async (path) => {
      const asset = parts.assets.find(path)
      return [path, asset?.contentType, String(await asset?.read(null))]
    }),
  )
  const assetHeaders = { ...pageHeaders, 'Content-Security-Policy': workerSecurityPolicy }
  const kept = { version, nonce, headers, pages: Object.fromEntries(pages), assetHeaders, assets }
  return Buffer.from(JSON.stringify(kept))
}

async function offlineResponse(
  release: Encoded | undefined,
  acceptEncoding: string | undefined,
): Promise<PageResponse | null> {
  if (release === undefined) return null
  const coding = acceptedCoding(acceptEncoding)
  const headers = {
    ...noStore,
    'Content-Type': 'application/json',
    Vary: 'Accept-Encoding',
    ...(coding === null ? {} : { 'Content-Encoding': coding }),
  }
  return { status: 200, body: await release(coding), headers }
}

interface Release {
  /** Changes with anything that is kept. */
  readonly version: string
  /** Of the files that the pages load. */
  readonly paths: readonly string[]
  /** The script that keeps the pages for when there is no network. */
  readonly script: string
}

async function releaseOf(parts: ToolsDependencies): Promise<Release> {
  const { assets } = parts
  const paths = await assets.reachable(['tool-list', 'tool'])
  const code = await assets.find(assets.of('tools-offline').script)?.read(null)
  if (code === undefined) throw new Error('the build has no service worker')
  const pages = allTools.map((tool) => String(rendered(parts, tool, '')))
  const version = createHash('sha256')
    .update(JSON.stringify([paths, pages, String(code)]))
    .digest('hex')
    .slice(0, 16)
  const release = { version, assets: paths, path: offlinePath }
  return { version, paths, script: `const toolsRelease = ${JSON.stringify(release)}\n${code}` }
}

/** Replaces the script above in browsers that have it from before tools were turned off. */
const farewell = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith('snipkeep-tools-')) await caches.delete(name)
  await registration.unregister()
})()))
`

function scriptResponse(script: string): PageResponse {
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': workerSecurityPolicy,
    'Service-Worker-Allowed': listPath,
  }
  return { status: 200, body: Buffer.from(script), headers }
}

/** The pages of tools, and what they need to work without a network. */
export function createToolsResponse(parts: ToolsDependencies): ToolsResponse {
  // One in each language: what is kept is in the reader's.
  const releases = new Map<PageLanguage, Promise<Release>>()
  const release = (): Promise<Release> => {
    const known = releases.get(speech.language) ?? releaseOf(parts)
    releases.set(speech.language, known)
    return known
  }
  const offline = new Map(
    pageLanguages.map((language) => [
      language,
      encodedOnce(async () => speaking(language, async () => offlineRelease(parts, await release()))),
    ]),
  )
  return async (path, acceptEncoding) => {
    if (!parts.site.tools) return path === workerPath ? scriptResponse(farewell) : null
    if (path === workerPath) return scriptResponse((await release()).script)
    if (path === offlinePath) return offlineResponse(offline.get(speech.language), acceptEncoding)
    if (path === listPath) return pageOf(parts, null)
    const [, own, name = ''] = /^\/tools(\/assets)?\/([^/]+)$/.exec(path) ?? []
    if (own !== undefined) {
      // A worker is served by the service worker only if its own address is below `/tools`.
      const asset = parts.assets.find(`/assets/${name}`)
      return asset === undefined ? null : assetResponse(asset, acceptEncoding)
    }
    const tool = findTool(name)
    return tool === null ? null : pageOf(parts, tool)
  }
}
