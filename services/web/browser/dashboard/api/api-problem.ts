export interface FieldProblem {
  /** A JSON Pointer into the request. */
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

/** An error response of the API (RFC 9457), or a network failure: status 0, code `network`. */
export class ApiProblem extends Error {
  readonly status: number
  /** Stable and machine-readable, such as `snippet_limit_reached`. */
  readonly code: string
  /** A sentence for people, in English. */
  readonly detail: string
  readonly errors: readonly FieldProblem[]
  readonly retryAfterSeconds: number | null
  readonly requestId: string | null
  /** When a closing account is erased. */
  readonly erasedAfter: string | null

  constructor(fields: Pick<ApiProblem, 'status' | 'code' | 'detail'> & Partial<ApiProblem>) {
    super(fields.detail)
    this.name = 'ApiProblem'
    this.status = fields.status
    this.code = fields.code
    this.detail = fields.detail
    this.errors = fields.errors ?? []
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null
    this.requestId = fields.requestId ?? null
    this.erasedAfter = fields.erasedAfter ?? null
  }
}

function textIn(value: unknown, key: string): string | null {
  const found: unknown = Reflect.get(Object(value), key)
  return typeof found === 'string' ? found : null
}

function fieldProblems(body: unknown): readonly FieldProblem[] {
  const errors: unknown = Reflect.get(Object(body), 'errors')
  if (!Array.isArray(errors)) return []
  return errors.map((error: unknown) => ({
    pointer: textIn(error, 'pointer') ?? '',
    code: textIn(error, 'code') ?? '',
    detail: textIn(error, 'detail') ?? '',
  }))
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** The parts of a response that problems are read from. */
export interface RefusalParts {
  readonly status: number
  readonly body: string
  header(name: string): string | null
}

/** Reads the problem from a response, even one that a proxy sent. */
export function readProblem({ status, body, header }: RefusalParts): ApiProblem {
  const problem = parsed(body)
  const retryAfter = Number(header('Retry-After') ?? Number.NaN)
  return new ApiProblem({
    status,
    code: textIn(problem, 'code') ?? (status === 502 || status === 504 ? 'unavailable' : 'internal'),
    detail: textIn(problem, 'detail') ?? '',
    errors: fieldProblems(problem),
    retryAfterSeconds: Number.isFinite(retryAfter) && retryAfter >= 0 ? Math.ceil(retryAfter) : null,
    requestId: textIn(problem, 'request_id') ?? header('X-Request-Id'),
    erasedAfter: textIn(problem, 'erased_after'),
  })
}

/** The problem of a request that got no response. */
export function networkProblem(): ApiProblem {
  return new ApiProblem({ status: 0, code: 'network', detail: '' })
}

/** Whether retrying the same request a little later may succeed. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiProblem && [0, 502, 503, 504].includes(error.status)
}
