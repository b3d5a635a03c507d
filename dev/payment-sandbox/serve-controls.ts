import { passTime } from './clock.js'
import { type Deliveries, signatureOf } from './deliveries.js'
import { checkoutObject, subscriptionObject } from './objects.js'
import type { SandboxModel } from './sandbox-model.js'
import { jsonResponse, type SandboxResponse } from './sandbox-response.js'
import { decide, setPayments } from './serve-pages.js'
import type { SandboxEvent, SandboxSubscription } from './state.js'

/** How a request fails. `lost-reply` carries out the request, and then closes the connection. */
export type SandboxFaultKind =
  | 'status-429'
  | 'status-409'
  | 'status-500'
  | 'reset'
  | 'hang'
  | 'lost-reply'
  | `slow-${number}`

/** Which requests fail, and how often. */
export interface SandboxFault {
  /** A prefix of method and path, such as `POST /v1/customers`. */
  readonly match: string
  times: number
  readonly kind: SandboxFaultKind
}

const kinds = /^(status-429|status-409|status-500|reset|hang|lost-reply|slow-\d{1,5})$/

/** Parses a fault; `null` if it is malformed. */
function readFault(value: unknown): SandboxFault | null {
  if (typeof value !== 'object' || value === null) return null
  const { match, times, kind } = value as Partial<Record<keyof SandboxFault, unknown>>
  if (typeof match !== 'string' || typeof times !== 'number' || typeof kind !== 'string') return null
  return kinds.test(kind) ? { match, times, kind: kind as SandboxFaultKind } : null
}

/** Uses up the first fault that matches this request; `null` if none does. */
export function takeFault(faults: SandboxFault[], request: string): SandboxFaultKind | null {
  const fault = faults.find(({ match, times }) => times > 0 && request.startsWith(match))
  if (fault === undefined) return null
  fault.times -= 1
  return fault.kind
}

export interface ControlParts {
  readonly model: SandboxModel
  readonly deliveries: Deliveries
  readonly webhookSecret: string
  /** `null` if faults are disabled. */
  readonly faults: SandboxFault[] | null
}

type Fields = Readonly<Record<string, unknown>>

const notFound = jsonResponse(404, { error: 'There is no such control, or nothing of this id.' })
const invalid = jsonResponse(400, { error: 'The body is not what this control takes.' })

const secondsMax = 10 * 366 * 86_400

function clock({ model }: ControlParts, { advance_seconds: seconds = 0 }: Fields): SandboxResponse {
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= secondsMax)) return invalid
  passTime(model, Math.floor(seconds))
  return jsonResponse(200, { now: model.now() })
}

function checkout({ model }: ControlParts, id: string, decision: string): SandboxResponse {
  const found = model.state.checkouts[id]
  if (found === undefined || decide(model, found, decision) === null) return notFound
  return jsonResponse(200, checkoutObject(found, model.publicUrl))
}

function setStatus(model: SandboxModel, subscription: SandboxSubscription, how: string): SandboxResponse {
  if (how === 'cancel') model.end(subscription)
  else if (how === 'sell-else') {
    subscription.otherPrice = 'price_of_something_else'
    model.changed(subscription)
  } else if (how === 'pause' || how === 'resume') {
    subscription.status = how === 'pause' ? 'paused' : 'active'
    model.changed(subscription)
  } else return notFound
  return jsonResponse(200, subscriptionObject(model.state, subscription))
}

function eventResponse({ id, type, body, delivered, attempts }: SandboxEvent, secret: string): object {
  return { id, type, body, signature: signatureOf(body, secret), delivered, attempts }
}

function events(
  { model, deliveries, webhookSecret }: ControlParts,
  method: string,
  fields: Fields,
): SandboxResponse {
  if (method === 'GET') {
    const all = Object.values(model.state.events)
    return jsonResponse(200, { events: all.map((event) => eventResponse(event, webhookSecret)) })
  }
  const { type, object } = fields
  if (typeof type !== 'string' || typeof object !== 'object' || object === null) return invalid
  model.emit(type, { id: '', object: '', ...object })
  deliveries.wake()
  return jsonResponse(200, { emitted: true })
}

function resend({ model, deliveries }: ControlParts, id: string): SandboxResponse {
  const event = model.state.events[id]
  if (event === undefined) return notFound
  Object.assign(event, { delivered: false, nextAttemptMs: 0 })
  deliveries.wake()
  return jsonResponse(200, { id })
}

function addFault({ faults }: ControlParts, fields: Fields): SandboxResponse {
  const fault = readFault(fields)
  if (faults === null) return notFound
  if (fields.clear === true) {
    faults.length = 0
    return jsonResponse(200, {})
  }
  if (fault === null) return invalid
  faults.push(fault)
  return jsonResponse(200, fault)
}

/** Serves the controls under `/sandbox/`, for tests and the curious. */
export function serveControls(
  parts: ControlParts,
  method: string,
  path: string,
  fields: Fields,
): SandboxResponse {
  const [, , what, id = '', how = ''] = path.split('/')
  const { model } = parts
  if (what === 'events' && id === '') return events(parts, method, fields)
  if (method !== 'POST') return notFound
  switch (what) {
    case 'clock':
      return clock(parts, fields)
    case 'checkout':
      return checkout(parts, id, how)
    case 'customers':
      if (typeof fields.succeed !== 'boolean') return invalid
      return setPayments(model, id, fields.succeed) ? jsonResponse(200, { id }) : notFound
    case 'subscriptions': {
      const found = model.state.subscriptions[id]
      return found === undefined ? notFound : setStatus(model, found, how)
    }
    case 'events':
      return how === 'resend' ? resend(parts, id) : notFound
    case 'delivery':
      parts.deliveries.hold(fields.enabled === false)
      return jsonResponse(200, { enabled: fields.enabled !== false })
    case 'faults':
      return addFault(parts, fields)
    default:
      return notFound
  }
}
