import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readMembers } from '#libs/core/read-json.js'
import type { Logger } from '#libs/log/logger.js'
import { passTime } from './clock.js'
import { startDeliveries } from './deliveries.js'
import { missingPage } from './pages.js'
import { refuseBrowsers } from './refuse-browsers.js'
import { createSandboxModel, type SandboxModel } from './sandbox-model.js'
import { jsonResponse, type SandboxResponse, sendResponse } from './sandbox-response.js'
import { serveApi } from './serve-api.js'
import {
  type ControlParts,
  type SandboxFault,
  type SandboxFaultKind,
  serveControls,
  takeFault,
} from './serve-controls.js'
import { servePages } from './serve-pages.js'
import { forgetOld } from './state.js'
import type { SandboxStore } from './store.js'

export interface SandboxSettings {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** The address of its pages for people; `null` for the listening address. */
  readonly publicUrl: string | null
  /** The key that the API requires. */
  readonly secretKey: string
  readonly webhookSecret: string
  /** Called for each delivery; `null` while there is no receiver. */
  readonly webhookUrl: () => string | null
  readonly store: SandboxStore
  /** Whether tests may request faults. */
  readonly faults: boolean
  readonly log: Logger
}

export interface RunningSandbox {
  readonly url: string
  readonly model: SandboxModel
  stop(): Promise<void>
}

const bodyBytesMax = 256 * 1024
const tickMs = 1_000
const hangMs = 60_000

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > bodyBytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function respondTo(
  parts: ControlParts,
  secretKey: string,
  request: IncomingMessage,
  body: string,
): SandboxResponse {
  const { method = 'GET', headers } = request
  const { pathname: path, search } = new URL(request.url ?? '/', 'http://sandbox')
  const { model } = parts
  const refused = refuseBrowsers({ method, path, headers, hasBody: body !== '' }, model.publicUrl)
  if (refused !== null) return refused
  if (path.startsWith('/v1/')) {
    const key = headers['idempotency-key']
    const idempotencyKey = Array.isArray(key) ? key[0] : key
    const raw = { method, path, query: search, body, authorization: headers.authorization, idempotencyKey }
    return serveApi(model, raw, secretKey)
  }
  if (path.startsWith('/sandbox/')) return serveControls(parts, method, path, readMembers(body) ?? {})
  if (path === '/healthz') return jsonResponse(200, { status: 'ok' })
  return servePages(model, method, path) ?? missingPage()
}

/** Fails the request before it has any effect; returns false if the request continues. */
async function failBefore(kind: SandboxFaultKind | null, response: ServerResponse): Promise<boolean> {
  if (kind === null || kind === 'lost-reply') return false
  if (kind === 'reset') response.destroy()
  else if (kind === 'hang') {
    await sleep(hangMs, undefined, { ref: false })
    response.destroy()
  } else if (kind.startsWith('slow-')) {
    await sleep(Number(kind.slice(5)))
    return false
  } else {
    const error = { type: 'api_error', code: kind, message: 'A fault that was requested.' }
    sendResponse(response, jsonResponse(Number(kind.slice(7)), { error }))
  }
  return true
}

async function listen(server: Server, { port, host }: SandboxSettings): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening')
  const { port: bound } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`
}

/**
 * Starts the payment sandbox.
 * @throws Error if it cannot listen, or its stored state is damaged.
 */
export async function startSandbox(settings: SandboxSettings): Promise<RunningSandbox> {
  const { store, log, secretKey, webhookSecret, webhookUrl } = settings
  const state = await store.load()
  const keep = () => store.save(state)
  const faults: SandboxFault[] = []
  let parts: ControlParts | undefined

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (parts === undefined) return void response.destroy()
    const body = await readBody(request)
    if (body === null) return sendResponse(response, jsonResponse(413, { error: 'The body is too long.' }))
    const fault = takeFault(faults, `${request.method} ${request.url}`)
    if (await failBefore(fault, response)) return
    passTime(parts.model)
    const reply = respondTo(parts, secretKey, request, body)
    if (request.method !== 'GET') await keep()
    parts.deliveries.wake()
    if (fault === 'lost-reply') response.destroy()
    else sendResponse(response, reply)
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      log.error({ event: 'unexpected_error', err: error }, 'unexpected error')
      if (!response.headersSent) sendResponse(response, jsonResponse(500, { error: 'Something went wrong.' }))
    })
  })
  const url = await listen(server, settings)
  const model = createSandboxModel(state, settings.publicUrl ?? url, Date.now)
  const deliveries = startDeliveries(state, { webhookUrl, secret: webhookSecret, log }, keep)
  parts = { model, deliveries, webhookSecret, faults: settings.faults ? faults : null }
  const tick = setInterval(() => {
    forgetOld(state, model.now())
    if (passTime(model))
      keep().catch((error: unknown) =>
        log.error({ event: 'sandbox_state_not_saved', err: error }, 'sandbox state not saved'),
      )
  }, tickMs)
  return {
    url,
    model,
    async stop() {
      clearInterval(tick)
      await deliveries.stop()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      await keep()
    },
  }
}
