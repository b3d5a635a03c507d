import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { DomainError, unavailable } from '#libs/core/domain-error.js'
import type { Logger } from '#libs/log/logger.js'
import { type ByteBudget, createByteBudget, type ReservedBytes } from '#libs/runtime/byte-budget.js'
import { observeResponse } from '#libs/telemetry/observe-http.js'
import { invalidSignature, readEventSignature } from '#shared/core/event-signature.js'
import type { BillingPorts } from '../ports.js'

/** Events are small; the provider's largest take a few hundred kilobytes. */
const bodyBytesMax = 1024 * 1024

/** The maximum memory of concurrent events. */
const bytesInFlightMax = 16 * bodyBytesMax

const path = '/webhooks/stripe'

function tooLarge(): DomainError {
  const message = `Webhook events are limited to ${bodyBytesMax} bytes.`
  return new DomainError('too-large', 'data_too_large', message, { limit: bodyBytesMax })
}

/** The caller releases the bytes. */
async function readBody(request: IncomingMessage, budget: ByteBudget): Promise<ReservedBytes> {
  const held = budget.open('')
  try {
    // Keeps the connection open, so that a refused request gets its response.
    const incoming: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false })
    for await (const chunk of incoming) {
      if (held.length + chunk.length > bodyBytesMax) throw tooLarge()
      if (!held.append(chunk)) throw unavailable('Too many webhook events at once. Send this one again.')
    }
    return held
  } catch (error) {
    held.release()
    throw error
  }
}

/** The gateway turns code and detail into a problem, so that all errors have one format. */
function respond(response: ServerResponse, status: number, body: Readonly<Record<string, unknown>>): void {
  const bytes = Buffer.from(JSON.stringify(body))
  if (status === 503) response.setHeader('Retry-After', 1)
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length })
  response.end(bytes)
}

function statusOf({ kind }: DomainError): number {
  if (kind === 'too-large') return 413
  return kind === 'invalid' ? 400 : 503
}

/**
 * The HTTP server for the provider's events. It returns 200 once an event is stored durably, 400 if it is not the
 * provider's, and otherwise a status that makes the provider retry.
 * @param onEvent called after a new event was stored.
 * @param bytesMax the maximum memory of concurrent events; beyond it they get 503.
 */
export function httpWebhook(
  { providerEvents, eventLog }: Pick<BillingPorts, 'providerEvents' | 'eventLog'>,
  log: Logger,
  onEvent: () => void,
  bytesMax = bytesInFlightMax,
): Server {
  const budget = createByteBudget({ bytesMax, holderBytesMax: bytesMax })
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { 'stripe-signature': header } = request.headers
    const signature = Array.isArray(header) ? undefined : header
    if (readEventSignature(signature, new Date()) === null) throw invalidSignature()
    const held = await readBody(request, budget)
    try {
      const isNew = await eventLog.record(providerEvents.read(held.bytes(), signature))
      respond(response, 200, { received: true })
      if (isNew) onEvent()
    } finally {
      held.release()
    }
  }
  const handleEvent = (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    take(request, response).catch((error: unknown) => {
      if (request.destroyed && !request.complete) return void response.destroy()
      if (error instanceof DomainError) {
        if (error.kind === 'unavailable')
          log.warn({ event: 'provider_event_not_stored', err: error }, 'provider event not stored')
        return respond(response, statusOf(error), { code: error.code, detail: error.message })
      }
      log.error({ event: 'unexpected_error', err: error }, 'unexpected error')
      respond(response, 500, { code: 'internal', detail: 'Something went wrong.' })
    })
  const times = { headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 5_000 }
  const server = createServer(times, (request, response) => {
    if (request.url !== path || request.method !== 'POST') {
      return respond(response, 404, { code: 'not_found', detail: 'Only webhook events are accepted here.' })
    }
    const about = { route: path, requestId: String(request.headers['x-request-id'] ?? '') }
    observeResponse(request, response, about, () => void handleEvent(request, response))
  })
  server.keepAliveTimeout = 75_000
  return server
}
