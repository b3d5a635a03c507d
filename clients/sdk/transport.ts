import type { Auth } from './auth.js'
import type { Body } from './content.js'
import {
  ConnectionError,
  type ProblemError,
  problemOf,
  RedirectError,
  refuseRedirect,
  SilenceTimeoutError,
  type SnipkeepError,
} from './problem-error.js'
import { watchSilence } from './watch-silence.js'

/** The total time for all tries of a request, in milliseconds. */
const retryMsMax = 120_000
const firstMs = 500
const delayMsMax = 30_000

/**
 * The delay before the next try, in milliseconds: as the server says, else exponential backoff with full
 * jitter.
 * @param tries the number of failed tries so far.
 * @param random from 0 to below 1.
 */
function retryDelayMs(tries: number, retryAfter: number | null, random: number): number {
  // Adds jitter, so that clients with the same delay don't all return at once.
  if (retryAfter !== null) return retryAfter * 1000 + random * 250
  return random * Math.min(delayMsMax, firstMs * 2 ** tries)
}

/** The progress of an upload. */
export interface Progress {
  readonly sent: number
  /** `null` if unknown. */
  readonly total: number | null
}

/** Options of a single call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /**
   * Fails when nothing has been sent or received for this many milliseconds; 30,000 by default. The whole
   * transfer may take any time.
   */
  readonly timeoutMs?: number | undefined
  /** Called as an upload proceeds. In browsers this needs `browserFetch`. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** In browsers: the request outlives the page. */
  readonly keepalive?: boolean | undefined
}

/** What the transport tells its `fetch` besides what the standard knows. */
export interface TransportInit extends RequestInit {
  /** To be called with the number of bytes of the body sent so far, by those that know. */
  readonly onSent?: (bytes: number) => void
}

/** A request of the API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, QueryValue>> | undefined
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: Body
  /** `never` for a request that must not be repeated. */
  readonly retry?: 'safe' | 'never'
}

type QueryValue = string | number | boolean | readonly string[] | null | undefined

/** Sends a request, retrying where that is safe. */
export type Transport = (request: ApiRequest, options?: CallOptions) => Promise<Response>

export interface TransportOptions {
  readonly server: string
  readonly auth: Auth | null
  /** How often a failed request is retried. */
  readonly retries: number
  readonly fetch: typeof fetch
  readonly userAgent: string | null
  /** Aborts every request. */
  readonly signal?: AbortSignal | undefined
  /** Called before each retry. */
  readonly onRetry?: ((error: SnipkeepError, delayMs: number) => void) | undefined
}

/** Statuses after which the same request may succeed. */
const passing = new Set([408, 429, 500, 502, 503, 504])
const defaultTimeoutMs = 30_000

function urlOf(server: string, { path, query = {} }: ApiRequest): string {
  const url = new URL(server.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one))
  }
  return url.href
}

function isPassing({ status, code }: ProblemError): boolean {
  return passing.has(status) || code === 'idempotency_in_progress'
}

type Payload = ReadableStream<Uint8Array> | Uint8Array | Blob

/** The body; calls `onSent` with the number of its bytes that were consumed. */
function counting(body: Body, onSent: (bytes: number) => void): Payload {
  const opened = body.open()
  let sent = 0
  if (!(opened instanceof ReadableStream)) {
    onSent(sent)
    return opened
  }
  const meter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.length
      onSent(sent)
      controller.enqueue(chunk)
    },
  })
  return opened.pipeThrough(meter)
}

/** The message of a network error; an error for several addresses has none of its own. */
function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message || String(Reflect.get(reason, 'code')) : String(reason)
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** How to ask for no redirects: with `error`, Node does not buffer uploads; Cloudflare Workers have only `manual`. */
function redirectMode(): 'error' | 'manual' {
  try {
    return new Request('https://localhost', { redirect: 'error' }).redirect === 'error' ? 'error' : 'manual'
  } catch {
    return 'manual'
  }
}

/** Sends requests to one server. */
export function createTransport(transport: TransportOptions): Transport {
  const { server, auth, retries, fetch, userAgent, onRetry } = transport
  const redirect = redirectMode()
  /** One try; resolves with any status. */
  const attempt = async (request: ApiRequest, options: CallOptions): Promise<Response> => {
    const { method, body } = request
    const silence = watchSilence(options.timeoutMs ?? defaultTimeoutMs, options.signal)
    const headers = new Headers(await auth?.headers({ server, fetch }))
    for (const [name, value] of Object.entries(request.headers ?? {}))
      if (value !== undefined) headers.set(name, value)
    if (userAgent !== null) headers.set('User-Agent', userAgent)
    if (body !== undefined) headers.set('Content-Type', body.type)
    const onSent = (sent: number): void => {
      silence.heard()
      options.onProgress?.({ sent, total: body?.size ?? null })
    }
    const payload = body === undefined ? undefined : counting(body, onSent)
    const isStream = payload instanceof ReadableStream
    // Browsers ignore it; elsewhere it lets the server reject large uploads early.
    if (isStream && body?.size != null) headers.set('Content-Length', String(body.size))
    let response: Response
    try {
      response = await fetch(urlOf(server, request), {
        method,
        headers,
        redirect,
        // With `error` and this, Node's fetch does not buffer what it has sent.
        window: null,
        signal: silence.signal,
        ...(options.keepalive === undefined ? {} : { keepalive: options.keepalive }),
        ...(payload === undefined ? {} : { body: payload }),
        ...(isStream ? { duplex: 'half' } : { onSent }),
      } as TransportInit)
    } catch (error) {
      silence.stop()
      if (options.signal?.aborted === true) throw options.signal.reason
      if (silence.isOver()) throw new SilenceTimeoutError(`${server} did not respond in time.`)
      const reason = error instanceof Error ? (error.cause ?? error) : error
      throw new ConnectionError(`${server} could not be reached: ${messageOf(reason)}`, { cause: error })
    }
    await refuseRedirect(response, server).catch((error: unknown) => {
      silence.stop()
      throw error
    })
    return silence.watchBody(response)
  }

  return async (request, given = {}) => {
    const options = { ...given, signal: given.signal ?? transport.signal }
    const mayRepeat = request.retry !== 'never' && request.body?.isRepeatable !== false
    const begunAt = Date.now()
    let isRenewed = false
    for (let tries = 0; ; tries += 1) {
      const isLast = tries >= retries
      let error: SnipkeepError
      let retryAfter: number | null = null
      try {
        const response = await attempt(request, options)
        if (response.ok || response.status === 304) return response
        // An earlier try of the same request has deleted it.
        if (response.status === 404 && request.method === 'DELETE' && tries > 0) return response
        const problem = await problemOf(response)
        if (problem.status === 401 && !isRenewed && mayRepeat && (await auth?.renew?.()) === true) {
          isRenewed = true
          tries -= 1
          continue
        }
        if (!isPassing(problem)) throw problem
        error = problem
        retryAfter = problem.retryAfter
      } catch (caught) {
        const isPassingTrouble = caught instanceof ConnectionError || caught instanceof SilenceTimeoutError
        if (!isPassingTrouble || caught instanceof RedirectError) throw caught
        error = caught
      }
      const delayMs = retryDelayMs(tries, retryAfter, Math.random())
      if (isLast || !mayRepeat || Date.now() + delayMs - begunAt > retryMsMax) throw error
      onRetry?.(error, delayMs)
      await pause(delayMs, options.signal)
    }
  }
}
