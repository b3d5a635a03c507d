import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { DomainError } from '#libs/core/domain-error.js'
import type { Logger } from '#libs/log/logger.js'
import { observeAnswer } from '#libs/telemetry/observe-http.js'
import { receiveEvent } from '../application/receive-event.js'
import type { BillingPorts } from '../ports.js'

/** Events are small; the provider's largest take a few hundred kilobytes. */
const bodyBytesMax = 1024 * 1024

const path = '/webhooks/stripe'

function tooLarge(): DomainError {
  const message = `An event takes at most ${bodyBytesMax} bytes.`
  return new DomainError('too-large', 'data_too_large', message, { limit: bodyBytesMax })
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  // What is too long is answered, not cut off.
  const incoming: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false })
  for await (const chunk of incoming) {
    size += chunk.length
    if (size > bodyBytesMax) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/** The gateway makes a problem of the code and the sentence, so that callers see one shape of error. */
function answer(response: ServerResponse, status: number, body: Readonly<Record<string, unknown>>): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length })
  response.end(bytes)
}

function statusOf({ kind }: DomainError): number {
  if (kind === 'too-large') return 413
  return kind === 'invalid' ? 400 : 503
}

/**
 * The HTTP server that the provider's events arrive at. It answers 200 when an event is kept durably, 400 when it is not
 * the provider's, and else a status that has the provider send it again.
 * @param onEvent called after a new event was kept.
 */
export function httpWebhook(
  ports: Pick<BillingPorts, 'providerEvents' | 'eventLog'>,
  log: Logger,
  onEvent: () => void,
): Server {
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { 'stripe-signature': signature } = request.headers
    const body = await readBody(request)
    const isNew = await receiveEvent(ports, body, Array.isArray(signature) ? undefined : signature)
    answer(response, 200, { received: true })
    if (isNew) onEvent()
  }
  const answerEvent = (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    take(request, response).catch((error: unknown) => {
      if (request.destroyed && !request.complete) return void response.destroy()
      if (error instanceof DomainError) {
        if (error.kind === 'unavailable') log.warn({ err: error }, 'an event could not be kept')
        return answer(response, statusOf(error), { code: error.code, detail: error.message })
      }
      log.error({ err: error }, 'an unexpected error')
      answer(response, 500, { code: 'internal', detail: 'Something went wrong.' })
    })
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 15_000 }, (request, response) => {
    if (request.url !== path || request.method !== 'POST') {
      return answer(response, 404, { code: 'not_found', detail: 'Only webhooks are taken here.' })
    }
    const about = { route: path, requestId: String(request.headers['x-request-id'] ?? '') }
    observeAnswer(request, response, about, () => void answerEvent(request, response))
  })
  server.keepAliveTimeout = 75_000
  return server
}
