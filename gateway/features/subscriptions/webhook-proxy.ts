import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { DomainError, unavailable } from '#libs/core/domain-error.js'
import { createByteBudget } from '#libs/runtime/byte-budget.js'
import { invalidSignature, readEventSignature } from '#shared/core/event-signature.js'
import type { BodyTimeLimits } from '../../body/body-bytes.js'
import { defaultBodyTimeLimits } from '../../body/read-body.js'
import { receiveBytes } from '../../body/receive-bytes.js'
import { sendJson } from '../../http/responses.js'
import type { PublicHandler, RequestContext } from '../../request/request-context.js'

export interface WebhookTimeLimits {
  readonly body: BodyTimeLimits
  /** How long billing may take to store an event. */
  readonly storeMs: number
}

const usualLimits: WebhookTimeLimits = { body: defaultBodyTimeLimits, storeMs: 10_000 }

/** Stripe's largest events take a few hundred kilobytes. */
const eventBytesMax = 1_048_576

/** The memory for events, in total and for one client IP. */
const bytesInFlight = { bytesMax: 16 * 1_048_576, holderBytesMax: 4 * 1_048_576 }

const responseBytesMax = 16 * 1024

/** The headers that billing needs. */
const forwardedHeaders = ['content-type', 'stripe-signature', 'traceparent'] as const

function eventTooLarge(): DomainError {
  const message = `Webhook events are limited to ${eventBytesMax} bytes.`
  return new DomainError('too-large', 'data_too_large', message, { limit: eventBytesMax })
}

function notStored(cause?: unknown): DomainError {
  return unavailable('The webhook event could not be stored. Send it again.', cause)
}

async function readResponse(response: IncomingMessage): Promise<{ code: string; detail: string }> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk
    if (text.length > responseBytesMax) throw new Error('the response of billing is too long')
  }
  const read: unknown = JSON.parse(text)
  const { code, detail } = { code: '', detail: '', ...(read as object) }
  return { code: String(code), detail: String(detail) }
}

async function refusalOf(response: IncomingMessage): Promise<DomainError> {
  const { code, detail } = await readResponse(response)
  if (response.statusCode === 400) return new DomainError('invalid', code, detail)
  if (response.statusCode === 413) return eventTooLarge()
  return notStored()
}

function headersFor({ request, requestId }: RequestContext, length: number): Record<string, string | number> {
  const headers: Record<string, string | number> = { 'X-Request-Id': requestId, 'Content-Length': length }
  for (const name of forwardedHeaders) {
    const value = request.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  return headers
}

/**
 * Forwards the payment provider's events to billing byte for byte, and turns billing's errors into problems. A request
 * without a plausible signature is rejected before its body is read, and billing gets only complete events.
 * @param webhookUrl where billing receives events.
 */
export function createWebhookProxy(webhookUrl: string, limits = usualLimits): PublicHandler {
  const url = new URL(`${webhookUrl.replace(/\/$/, '')}/webhooks/stripe`)
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const budget = createByteBudget(bytesInFlight)

  /** Resolves once billing has stored the event. */
  const store = async (context: RequestContext, body: Buffer): Promise<void> => {
    const signal = AbortSignal.timeout(limits.storeMs)
    const headers = headersFor(context, body.length)
    // A new connection, because billing might close a kept-alive one just as the event is sent.
    const sent = send(url, { method: 'POST', headers, agent: false, signal })
    sent.on('error', () => {})
    sent.end(body)
    try {
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      if (response.statusCode !== 200) throw await refusalOf(response)
      response.resume()
    } catch (error) {
      sent.destroy()
      throw error instanceof DomainError ? error : notStored(error)
    }
  }

  return async (context) => {
    const { request, response } = context
    if (Number(request.headers['content-length'] ?? 0) > eventBytesMax) throw eventTooLarge()
    const { 'stripe-signature': signature } = request.headers
    const text = Array.isArray(signature) ? undefined : signature
    if (readEventSignature(text, new Date()) === null) throw invalidSignature()
    const held = await receiveBytes(context, {
      limits: limits.body,
      budget,
      bytesMax: eventBytesMax,
      tooLarge: eventTooLarge,
      busy: 'Too many webhook events at once. Send this one again.',
    })
    try {
      await store(context, held.bytes())
    } finally {
      held.release()
    }
    if (!response.closed) sendJson(response, 200, { received: true })
  }
}
