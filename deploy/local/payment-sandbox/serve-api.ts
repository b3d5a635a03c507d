import { createHash, timingSafeEqual } from 'node:crypto'
import { findOperation } from './api.js'
import { ApiError, badRequest, missing } from './api-error.js'
import { type FormFields, readForm } from './form.js'
import { jsonResponse, type SandboxResponse } from './sandbox-response.js'
import type { SandboxWorld } from './world.js'

/** A request to the API, as it came. */
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

function errorAnswer(error: unknown): SandboxResponse {
  if (!(error instanceof ApiError)) throw error
  const { type, code, message, param } = error
  return jsonResponse(error.status, { error: { type, code, message, ...(param === null ? {} : { param }) } })
}

function respond(world: SandboxWorld, request: RawApiRequest): SandboxResponse {
  const operation = findOperation(request.method, request.path)
  if (operation === null) throw missing('address', `${request.method} ${request.path}`)
  const fields: FormFields | null = readForm(request.method === 'GET' ? request.query : request.body)
  if (fields === null) throw badRequest('parameter_invalid', 'There are too many fields.')
  return jsonResponse(200, operation.handle({ world, id: operation.id, fields }))
}

/** The answer that was given to the same request with this key before, if any. */
function answerAgain(world: SandboxWorld, key: string, text: string): SandboxResponse | null {
  const known = world.state.answers[key]
  if (known === undefined || known.at + daySeconds <= world.now()) return null
  if (known.request !== text) {
    const message =
      'Keys for idempotent requests can only be used with the same parameters they were first used with.'
    throw new ApiError(400, 'idempotency_error', 'idempotency_error', message)
  }
  const headers = { 'Content-Type': 'application/json', 'Idempotent-Replayed': 'true' }
  return { status: known.status, headers, body: known.body }
}

/** Answers a request in Stripe's words; with an idempotency key the same answer for a day. */
export function serveApi(world: SandboxWorld, request: RawApiRequest, secretKey: string): SandboxResponse {
  try {
    authorize(request.authorization, secretKey)
    const { idempotencyKey: key, method, path, body } = request
    if (key === undefined || method === 'GET') return respond(world, request)
    const text = `${method} ${path}\n${body}`
    const again = answerAgain(world, key, text)
    if (again !== null) return again
    const answer = respond(world, request)
    world.state.answers[key] = { request: text, status: answer.status, body: answer.body, at: world.now() }
    return answer
  } catch (error) {
    return errorAnswer(error)
  }
}
