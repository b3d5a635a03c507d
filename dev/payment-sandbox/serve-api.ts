import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError, badRequest, findOperation, missing } from './api.js'
import { type FormFields, readForm } from './form.js'
import type { SandboxModel } from './sandbox-model.js'
import { jsonResponse, type SandboxResponse } from './sandbox-response.js'

/** An unparsed request. */
export interface RawApiRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: string
  readonly authorization: string | undefined
  readonly idempotencyKey: string | undefined
}

const daySeconds = 86_400

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function authorize(authorization: string | undefined, secretKey: string): void {
  if (timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${secretKey}`))) return
  throw new ApiError(401, 'invalid_request_error', 'api_key_invalid', 'Invalid API Key provided.')
}

function errorResponse(error: unknown): SandboxResponse {
  if (!(error instanceof ApiError)) throw error
  const { type, code, message, param } = error
  return jsonResponse(error.status, { error: { type, code, message, ...(param === null ? {} : { param }) } })
}

function respond(model: SandboxModel, request: RawApiRequest): SandboxResponse {
  const operation = findOperation(request.method, request.path)
  if (operation === null) throw missing('address', `${request.method} ${request.path}`)
  const fields: FormFields | null = readForm(request.method === 'GET' ? request.query : request.body)
  if (fields === null) throw badRequest('parameter_invalid', 'There are too many fields.')
  return jsonResponse(200, operation.handle({ model, id: operation.id, fields }))
}

/** The earlier response to this idempotency key, if any. */
function replayedResponse(model: SandboxModel, key: string, text: string): SandboxResponse | null {
  const known = model.state.answers[key]
  if (known === undefined || known.at + daySeconds <= model.now()) return null
  if (known.request !== text) {
    const message =
      'Keys for idempotent requests can only be used with the same parameters they were first used with.'
    throw new ApiError(400, 'idempotency_error', 'idempotency_error', message)
  }
  const headers = { 'Content-Type': 'application/json', 'Idempotent-Replayed': 'true' }
  return { status: known.status, headers, body: known.body }
}

/** Serves a request like Stripe. A repeated idempotency key gets the same response for a day. */
export function serveApi(model: SandboxModel, request: RawApiRequest, secretKey: string): SandboxResponse {
  try {
    authorize(request.authorization, secretKey)
    const { idempotencyKey: key, method, path, body } = request
    if (key === undefined || method === 'GET') return respond(model, request)
    const text = `${method} ${path}\n${body}`
    const again = replayedResponse(model, key, text)
    if (again !== null) return again
    const response = respond(model, request)
    model.state.answers[key] = {
      request: text,
      status: response.status,
      body: response.body,
      at: model.now(),
    }
    return response
  } catch (error) {
    return errorResponse(error)
  }
}
