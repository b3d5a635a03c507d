import type { Session } from '../session/session.js'
import { type ApiProblem, networkProblem, readProblem } from './api-problem.js'

/** One request. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below our own origin, such as `/api/snippets`. */
  readonly path: string
  /** Sent as JSON; a `Blob` as it is. */
  readonly body?: object | Blob
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Goes on when the page is left. */
  readonly keepalive?: boolean
}

/** A successful response of the API. */
export interface ApiResult<T> {
  readonly body: T
  /** The strong entity tag, where the resource has one. */
  readonly etag: string | null
}

/** Our REST interface, called as whoever is signed in. Every call rejects with an `ApiProblem`, or because its signal aborted. */
export interface Api {
  /** Sends a request and reads its JSON response, which is trusted to be of the type that the interface promises. */
  send<T>(request: ApiRequest): Promise<ApiResult<T>>
  /** Sends a request and gives the response as it comes. */
  fetch(request: ApiRequest): Promise<Response>
  /** The headers by which the API knows who calls. */
  credentials(): Promise<Readonly<Record<string, string>>>
}

/** The part of a session that requests need. */
export type Credentials = Pick<Session, 'credential' | 'renew'>

async function problemOf(response: Response): Promise<ApiProblem> {
  const body = await response.text().catch(() => '')
  return readProblem({ status: response.status, body, header: (name) => response.headers.get(name) })
}

/** A path with these values as its query; an empty one is left out, a list is repeated. */
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

/** The headers of a request that creates something, so that sending it twice creates it once. */
export function idempotent(key: string): Readonly<Record<string, string>> {
  return { 'Idempotency-Key': key }
}

/** A client of the API with the credential of this session; one that is refused is renewed once. */
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
