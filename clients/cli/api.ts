import { randomUUID } from 'node:crypto'
import { bodyOf } from '../sdk/content.js'
import type { SnipkeepError } from '../sdk/problem-error.js'
import { type ApiRequest, createTransport } from '../sdk/transport.js'
import type { ContentSource } from './content-source.js'
import { nodeFetch } from './node-fetch.js'

export interface CallOptions {
  readonly query?: ApiRequest['query']
  readonly headers?: Readonly<Record<string, string>>
  /** JSON unless the headers say otherwise. */
  readonly body?: ContentSource | string
  /** `never` for a request that must not be repeated. */
  readonly retry?: 'never'
  /** Called with the number of bytes sent. */
  readonly onSent?: (bytes: number) => void
}

/** Calls the REST API of a server through the SDK. */
export interface Api {
  readonly server: URL
  /**
   * The response to a successful call, its body unread.
   * @throws ProblemError for other responses, after all retries.
   */
  call(method: ApiRequest['method'], path: string, options?: CallOptions): Promise<Response>
  /** The same for JSON. */
  json(method: ApiRequest['method'], path: string, options?: CallOptions): Promise<Record<string, unknown>>
}

export interface ApiSettings {
  readonly server: URL
  readonly credentials: () => Promise<Readonly<Record<string, string>>>
  readonly version: string
  readonly signal: AbortSignal
  readonly retriesMax: number
  /** Called before each wait. */
  readonly onRetry: (error: SnipkeepError, waitMs: number) => void
}

/** A client that retries what is safe to repeat; all tries of a POST share one Idempotency-Key. */
export function createApi(settings: ApiSettings): Api {
  const { server, credentials, version, signal, retriesMax, onRetry } = settings
  const send = createTransport({
    server: server.href,
    auth: { headers: credentials },
    retries: retriesMax,
    fetch: nodeFetch,
    userAgent: `snipkeep-cli/${version}`,
    onRetry,
  })
  const call: Api['call'] = (method, path, { query, headers, body, retry, onSent } = {}) =>
    send(
      {
        method,
        path,
        query,
        headers: {
          Accept: 'application/json',
          ...(method === 'POST' ? { 'Idempotency-Key': randomUUID() } : {}),
          ...headers,
        },
        retry: method === 'PATCH' ? 'never' : (retry ?? 'safe'),
        ...(body === undefined
          ? {}
          : { body: bodyOf(body, new Headers(headers).get('Content-Type') ?? 'application/json') }),
      },
      { signal, onProgress: ({ sent }) => onSent?.(sent) },
    )
  return {
    server,
    call,
    json: async (...request) => (await (await call(...request)).json()) as Record<string, unknown>,
  }
}
