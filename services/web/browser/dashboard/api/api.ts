import type { Session } from '../session/session.js'
import { type ApiProblem, networkProblem, readProblem } from './api-problem.js'

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** On our own origin, such as `/api/snippets`. */
  readonly path: string
  /** Sent as JSON; a `Blob` is sent as is. */
  readonly body?: object | Blob
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** The request outlives the page. */
  readonly keepalive?: boolean
}

export interface ApiResult<T> {
  readonly body: T
  /** The strong entity tag, if the resource has one. */
  readonly etag: string | null
}

/**
 * Our REST API, called as the signed-in user. Every call rejects with an `ApiProblem`, or when its signal
 * aborts.
 */
export interface Api {
  /** Sends a request and parses its JSON response, which is trusted to be of type `T`. */
  send<T>(request: ApiRequest): Promise<ApiResult<T>>
  /** Sends a request and returns the raw response. */
  fetch(request: ApiRequest): Promise<Response>
  /** The headers that authenticate the caller. */
  credentials(): Promise<Readonly<Record<string, string>>>
}

/** The parts of a session that requests need. */
export type Credentials = Pick<Session, 'credential' | 'renew'>

async function problemOf(response: Response): Promise<ApiProblem> {
  const body = await response.text().catch(() => '')
  return readProblem({ status: response.status, body, header: (name) => response.headers.get(name) })
}

/** Appends these values as a query; empty ones are left out, lists are repeated. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | readonly string[] | null>>,
): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' || typeof value === 'number') {
      if (value !== '') search.append(name, String(value))
    } else for (const each of value ?? []) search.append(name, each)
  }
  return search.size === 0 ? path : `${path}?${search}`
}

/** The headers of a request that creates something; they make it safe to retry. */
export function idempotent(key: string): Readonly<Record<string, string>> {
  return { 'Idempotency-Key': key }
}

/** An API client with the credential of this session. A rejected credential is renewed once. */
export function createApi(session: Credentials): Api {
  const credentials = async (): Promise<Readonly<Record<string, string>>> => {
    const token = await session.credential()
    return token === null ? {} : { Authorization: `Bearer ${token}` }
  }

  const attempt = async ({ method = 'GET', path, body, headers, signal, keepalive }: ApiRequest) => {
    const sent = body === undefined || body instanceof Blob ? body : JSON.stringify(body)
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const init: RequestInit = {
      method,
      headers: { ...type, ...headers, ...(await credentials()) },
      cache: 'no-store',
      credentials: 'omit',
    }
    if (sent !== undefined) init.body = sent
    if (signal !== undefined) init.signal = signal
    if (keepalive !== undefined) init.keepalive = keepalive
    return fetch(path, init).catch((error: unknown) => {
      throw signal?.aborted === true ? error : networkProblem()
    })
  }

  const responseOf = async (request: ApiRequest): Promise<Response> => {
    const first = await attempt(request)
    const response = first.status === 401 && (await session.renew()) ? await attempt(request) : first
    if (!response.ok) throw await problemOf(response)
    return response
  }

  return {
    credentials,
    fetch: responseOf,
    async send<T>(request: ApiRequest) {
      const response = await responseOf(request)
      const body: T = await response.json()
      return { body, etag: response.headers.get('ETag') }
    },
  }
}
