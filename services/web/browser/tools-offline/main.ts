// The service worker of the pages of tools. The server puts `toolsRelease` before it. It is a classic script, which
// every browser with service workers runs, so its build holds all that it imports.

import { sharedInputName } from '#shared/core/tool-form-field.js'
import { putDraft } from '../tools/draft.js'

/** What belongs to one release. */
interface ToolsRelease {
  /** Changes with anything that is kept. */
  readonly version: string
  readonly assets: readonly string[]
  /** Where all of it is. */
  readonly path: string
}

/** The pages, with a mark in the place of each nonce. */
interface OfflinePages {
  readonly nonce: string
  readonly headers: Readonly<Record<string, string>>
  readonly pages: Readonly<Record<string, string>>
}

/** All that is kept, in one response. */
interface OfflineRelease extends OfflinePages {
  readonly version: string
  readonly assetHeaders: Readonly<Record<string, string>>
  readonly assets: readonly (readonly [path: string, contentType: string, content: string])[]
}

interface LifeEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface FetchEvent extends Event {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

/** The part of the global scope of a service worker that is used here. */
interface WorkerScope {
  readonly clients: { claim(): Promise<void> }
  addEventListener(type: 'install' | 'activate', listener: (event: LifeEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
}

declare const toolsRelease: ToolsRelease
declare const self: WorkerScope

const { version, assets: keptPaths, path: releasePath } = toolsRelease
const prefix = 'snipkeep-tools-'
const cacheName = `${prefix}${version}`
const kept = new Set(keptPaths)

async function install(): Promise<void> {
  const response = await fetch(releasePath, { cache: 'no-store' })
  if (!response.ok) throw new Error(`${releasePath} returned ${response.status}`)
  const { assets, assetHeaders, ...release }: OfflineRelease = await response.json()
  // In the middle of an upgrade another server may have sent it; the browser tries again later.
  if (release.version !== version) throw new Error(`${releasePath} is of another release`)
  const cache = await caches.open(cacheName)
  for (const [path, contentType, content] of assets)
    await cache.put(
      path,
      new Response(content, { headers: { ...assetHeaders, 'Content-Type': contentType } }),
    )
  await cache.put(releasePath, new Response(JSON.stringify(release)))
}

async function activate(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name)
  await self.clients.claim()
}

/**
 * A kept response has the URL that it was fetched from, to which the imports of a module are relative: a worker below
 * `/tools` would import, and run, itself again from `/assets`. A new response has the URL of the request.
 */
async function assetOf(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName)
  const known = await cache.match(path)
  return known === undefined ? fetch(request) : new Response(known.body, { headers: known.headers })
}

function freshNonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
}

/** The page as it was when this release was kept, with a nonce of its own. */
async function keptPage(path: string): Promise<Response> {
  const cache = await caches.open(cacheName)
  const offline: OfflinePages | undefined = await (await cache.match(releasePath))?.json()
  const page = offline?.pages[path]
  if (offline === undefined || page === undefined) return Response.error()
  const nonce = freshNonce()
  const headers = Object.entries(offline.headers).map(([name, value]): [string, string] => [
    name,
    value.replaceAll(offline.nonce, nonce),
  ])
  return new Response(page.replaceAll(offline.nonce, nonce), { headers })
}

/** What another app shares: a file, else its text or link. */
async function sharedInput(request: Request): Promise<{ input: Blob; name: string | null } | null> {
  const form = await request.formData()
  const file = form.get('file')
  if (file instanceof File && file.size > 0) return { input: file, name: file.name }
  const texts = ['text', 'url'].map((name) => form.get(name)).filter((given) => typeof given === 'string')
  const given = texts.find((one) => one !== '')
  return given === undefined ? null : { input: new Blob([given]), name: null }
}

/** Keeps what is shared in this browser, where a tool takes it; the request goes no further. */
async function takeShared(request: Request): Promise<Response> {
  const list = new URL('/tools', location.origin)
  const shared = await sharedInput(request)
  if (shared !== null)
    list.hash = `${sharedInputName}=${await putDraft({ ...shared, tool: null, options: [], purpose: null })}`
  return Response.redirect(list.href, 303)
}

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return
  if (request.method === 'POST' && pathname === `/tools/${sharedInputName}`)
    event.respondWith(takeShared(request).catch(() => Response.redirect(new URL('/tools', origin).href, 303)))
  if (request.method !== 'GET') return
  const asset = pathname.replace(/^\/tools\/assets\//, '/assets/')
  if (kept.has(asset)) event.respondWith(assetOf(asset, request))
  else if (request.mode === 'navigate')
    // With a network, always what the server has; responses of the API are never kept.
    event.respondWith(fetch(request).catch(() => keptPage(pathname)))
})
