import type { IncomingMessage, ServerResponse } from 'node:http'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { DomainError, unavailable } from '#libs/core/domain-error.js'
import { sendJson } from '../answers/send-json.js'
import type { PublicHandler } from '../exchange.js'
import { keepCredentials } from './keep-credentials.js'

/** The time that billing may take to keep an event, in milliseconds. */
const timeoutMs = 10_000

/** No event is longer; billing counts as well, for those whose length is not declared. */
const bodyBytesMax = 1024 * 1024

/** No answer of billing's is longer. */
const answerBytesMax = 16 * 1024

function tooLarge(): DomainError {
  const message = `An event takes at most ${bodyBytesMax} bytes.`
  return new DomainError('too-large', 'data_too_large', message, { limit: bodyBytesMax })
}

function notKept(cause?: unknown): DomainError {
  return unavailable('The event could not be kept. Please send it again.', cause)
}

async function readAnswer(answer: IncomingMessage): Promise<{ code: string; detail: string }> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) {
    text += chunk
    if (text.length > answerBytesMax) throw new Error('the answer of billing is too long')
  }
  const read: unknown = JSON.parse(text)
  const { code, detail } = { code: '', detail: '', ...(read as object) }
  return { code: String(code), detail: String(detail) }
}

/** Billing's refusal as the interface has it. */
async function refusalOf(answer: IncomingMessage): Promise<DomainError> {
  try {
    const { code, detail } = await readAnswer(answer)
    if (answer.statusCode === 400) return new DomainError('invalid', code, detail)
    if (answer.statusCode === 413) return tooLarge()
    return notKept()
  } catch (error) {
    return notKept(error)
  }
}

/**
 * Passes the provider's events on to billing, byte for byte, and its answer back in the shape that all answers have.
 * @param webhookUrl where billing takes events.
 */
export function createWebhookProxy(webhookUrl: string): PublicHandler {
  const settle = new WeakMap<ServerResponse, (refusal?: DomainError) => void>()
  const proxy = createProxyMiddleware<IncomingMessage, ServerResponse>({
    target: webhookUrl,
    changeOrigin: true,
    xfwd: false,
    proxyTimeout: timeoutMs,
    selfHandleResponse: true,
    pathRewrite: () => '/webhooks/stripe',
    on: {
      proxyRes: (answer, _request, response) => {
        const done = settle.get(response)
        if (answer.statusCode !== 200) return void refusalOf(answer).then(done)
        answer.resume()
        done?.()
      },
      error: (error, _request, response) => {
        if ('writeHead' in response) settle.get(response)?.(notKept(error))
      },
    },
  })
  return async ({ request, response }) => {
    if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) throw tooLarge()
    if (request.headers.expect !== undefined) response.writeContinue()
    keepCredentials(request, response)
    await new Promise<void>((resolve, reject) => {
      settle.set(response, (refusal) => (refusal === undefined ? resolve() : reject(refusal)))
      response.once('close', () => resolve())
      proxy(request, response, reject).catch(reject)
    })
    if (!response.closed) sendJson(response, 200, { received: true })
  }
}
