/** A response with its body read. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body parsed; only for JSON. */
  json<T = Record<string, unknown>>(): T
}

/** Calls the REST API as one caller. */
export interface ApiClient {
  request(method: string, path: string, options?: RequestOptions): Promise<ApiResponse>
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  delete(path: string, headers?: Record<string, string>): Promise<ApiResponse>
}

/** A request's options. A string or bytes are sent as is, anything else as JSON. */
export interface RequestOptions {
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

function bodyOf(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body
  return JSON.stringify(body)
}

/** A client of the gateway at this address, which sends these credentials with every request. */
export function apiClient(baseUrl: string, credentials: Readonly<Record<string, string>> = {}): ApiClient {
  const request: ApiClient['request'] = async (method, path, options = {}) => {
    const body = bodyOf(options.body)
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...credentials,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: <T>() => JSON.parse(text) as T }
  }
  return {
    request,
    get: (path, headers = {}) => request('GET', path, { headers }),
    post: (path, body, headers = {}) => request('POST', path, { headers, body }),
    patch: (path, body, headers = {}) => request('PATCH', path, { headers, body }),
    delete: (path, headers = {}) => request('DELETE', path, { headers }),
  }
}
