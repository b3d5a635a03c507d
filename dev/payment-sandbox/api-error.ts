/** An error of Stripe's API. */
export class ApiError extends Error {
  readonly status: number
  readonly type: string
  readonly code: string
  readonly param: string | null

  constructor(status: number, type: string, code: string, message: string, param: string | null = null) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.type = type
    this.code = code
    this.param = param
  }
}

export function badRequest(code: string, message: string, param: string | null = null): ApiError {
  return new ApiError(400, 'invalid_request_error', code, message, param)
}

export function missing(what: string, id: string): ApiError {
  return new ApiError(404, 'invalid_request_error', 'resource_missing', `No such ${what}: '${id}'`, 'id')
}
