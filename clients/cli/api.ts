import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { ContentSource } from './content-source.js'
import { CliError, exitCodes, ProblemError } from './exit-codes.js'
import { NetworkError, sendRequest, textOf } from './http-request.js'

/** What a call carries beside method and path. */
export interface CallOptions {
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: ContentSource | string
  readonly onSent?: (bytes: number) => void
}

/** Calls the REST interface of a server. */
export interface Api {
  readonly server: URL
  /**
   * The response to a call that succeeded, its body unread.
   * @throws ProblemError for every other response, once retries are used up.
   */
  call(method: string, path: string, options?: CallOptions): Promise<IncomingMessage>
  /** The same for JSON. */
  json(method: string, path: string, options?: CallOptions): Promise<Record<string, unknown>>
}

export interface ApiSettings {
  readonly server: URL
  readonly credentials: () => Promise<Readonly<Record<string, string>>>
  readonly version: string
  readonly signal: AbortSignal
  readonly retriesMax: number
  /** Told of each wait. */
  readonly onRetry: (reason: string, waitMs: number) => void
}

const silenceMs = 30_000
const waitMsMax = 30_000
const totalMsMax = 120_000

function mayRetry(error: unknown): boolean {
  if (error instanceof NetworkError) return true
  if (!(error instanceof ProblemError)) return false
  return [408, 429, 500, 502, 503, 504].includes(error.status) || error.code === 'idempotency_in_progress'
}

function addressOf(server: URL, path: string, query: CallOptions['query'] = {}): URL {
  const url = new URL(path.replace(/^\//, ''), server.href.endsWith('/') ? server.href : `${server.href}/`)
  if (url.origin !== server.origin) throw new CliError('A path begins with "/".', exitCodes.usage)
  for (const [name, value] of Object.entries(query)) {
    for (const one of value === undefined ? [] : [value].flat()) url.searchParams.append(name, String(one))
  }
  return url
}

/** The seconds of Retry-After; those of a date are not ours to send. */
function retryAfterMs(response: IncomingMessage): number {
  return Number(response.headers['retry-after'] ?? 0) * 1_000 || 0
}

/** A client that retries what is safe to repeat: a POST carries one Idempotency-Key for all tries. */
export function createApi(settings: ApiSettings): Api {
  const { server, signal } = settings
  let askedForMs = 0

  async function once(
    method: string,
    path: string,
    options: CallOptions,
    key: string,
  ): Promise<IncomingMessage> {
    const response = await sendRequest({
      method,
      url: addressOf(server, path, options.query),
      headers: {
        'User-Agent': `snipkeep-cli/${settings.version}`,
        Accept: 'application/json',
        ...(method === 'POST' ? { 'Idempotency-Key': key } : {}),
        ...(await settings.credentials()),
        ...options.headers,
      },
      body: options.body ?? null,
      signal,
      silenceMs,
      ...(options.onSent === undefined ? {} : { onSent: options.onSent }),
    })
    const status = response.statusCode ?? 0
    if (status >= 200 && status < 300) return response
    askedForMs = retryAfterMs(response)
    const text = await textOf(response)
    // What was still to be sent is of no use to a server that has refused it.
    response.destroy()
    throw new ProblemError(status, text, String(response.headers['x-request-id'] ?? ''))
  }

  async function call(method: string, path: string, options: CallOptions = {}): Promise<IncomingMessage> {
    const key = randomUUID()
    const giveUpAt = Date.now() + totalMsMax
    for (let tries = 0; ; tries += 1) {
      askedForMs = 0
      try {
        return await once(method, path, options, key)
      } catch (error) {
        const waitMs = Math.max(askedForMs, Math.random() * Math.min(waitMsMax, 500 * 2 ** tries))
        const isLast = tries >= settings.retriesMax || Date.now() + waitMs > giveUpAt
        if (signal.aborted || isLast || method === 'PATCH' || !mayRetry(error)) throw error
        settings.onRetry(error instanceof Error ? error.message : '', waitMs)
        await delay(waitMs, undefined, { signal })
      }
    }
  }

  return {
    server,
    call,
    async json(method, path, options) {
      const text = await textOf(await call(method, path, options))
      return JSON.parse(text) as Record<string, unknown>
    },
  }
}
