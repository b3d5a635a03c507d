/** One thing that is wrong with a request. */
export interface FieldProblem {
  /** Where, as a JSON Pointer into what was sent. */
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

/** A refusal of the API (RFC 9457), or a failure to reach it, whose status is 0 and whose code is `network`. */
export class ApiProblem extends Error {
  readonly status: number
  /** Stable and machine readable, such as `snippet_limit_reached`. */
  readonly code: string
  /** A sentence for a person, in English. */
  readonly detail: string
  readonly errors: readonly FieldProblem[]
  readonly retryAfterSeconds: number | null
  readonly requestId: string | null

  constructor(fields: Pick<ApiProblem, 'status' | 'code' | 'detail'> & Partial<ApiProblem>) {
    super(fields.detail)
    this.name = 'ApiProblem'
    this.status = fields.status
    this.code = fields.code
    this.detail = fields.detail
    this.errors = fields.errors ?? []
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null
    this.requestId = fields.requestId ?? null
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

/** A response of the API, as far as problems are read from it. */
export interface RefusalParts {
  readonly status: number
  readonly body: string
  header(name: string): string | null
}

/** The problem in a response, also when something on the way responded in place of the API. */
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
  })
}

/** The problem of a request that got no response. */
export function networkProblem(): ApiProblem {
  return new ApiProblem({ status: 0, code: 'network', detail: '' })
}

/** Whether the same request may well succeed a little later, without anyone's doing. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiProblem && [0, 502, 503, 504].includes(error.status)
}
