import { createHmac, timingSafeEqual } from 'node:crypto'
import { DomainError } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { invalidSignature, readEventSignature } from '#shared/core/event-signature.js'
import { checkoutId, customerId, subscriptionId } from '../domain/ids.js'
import type { ProviderEvent } from '../domain/provider-event.js'
import type { ProviderEvents } from '../ports.js'
import { apiVersion } from './stripe-client.js'

/** The format of event ids and types; anything else is rejected. */
const idPattern = /^[\w.:-]{1,255}$/

/** Events after which a checkout can no longer be paid. */
const overTypes: ReadonlySet<string> = new Set(['checkout.session.completed', 'checkout.session.expired'])

/** Exported from the start, at 0: an alert cannot see the first increase of a counter that begins at 1. */
const ofOtherVersion = metrics.providerEventsOfOtherVersion.series()

/** An object's own member of that name; `undefined` for anything else. */
function member(value: unknown, name: string): unknown {
  const has = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return has ? Reflect.get(value, name) : undefined
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce(member, value)
}

/** An id, plain or in an expanded object. */
function idAt(value: unknown, ...path: readonly string[]): string | null {
  const found = at(value, ...path)
  const id = typeof found === 'string' ? found : member(found, 'id')
  return typeof id === 'string' && idPattern.test(id) ? id : null
}

/** The subscription of an event; before the API version 2025-03-31, invoices had it elsewhere. */
function subscriptionOf(type: string, object: unknown): string | null {
  if (type.startsWith('customer.subscription.')) return idAt(object, 'id')
  if (type.startsWith('checkout.session.')) return idAt(object, 'subscription')
  if (!type.startsWith('invoice.')) return null
  return idAt(object, 'parent', 'subscription_details', 'subscription') ?? idAt(object, 'subscription')
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw new DomainError(
      'invalid',
      'malformed_json',
      'The webhook event is not valid JSON.',
      {},
      { cause: error },
    )
  }
}

/** Records an event's delay, and whether its API version differs from the supported one. */
function measure(event: unknown): void {
  const created = member(event, 'created')
  if (typeof created === 'number')
    metrics.webhookLag.series('arrived').observe(Math.max(0, Date.now() / 1_000 - created))
  if (member(event, 'api_version') !== apiVersion) ofOtherVersion.inc()
}

/**
 * Reads a Stripe event of any API version: a missing or unexpected field is `null`.
 * @param live whether this is live mode.
 * @throws DomainError `malformed_json`; `validation_failed` if it has no id or no type.
 */
export function readProviderEvent(body: Uint8Array, live: boolean): ProviderEvent {
  const event = parse(body)
  const [id, type] = [member(event, 'id'), member(event, 'type')]
  if (typeof id !== 'string' || typeof type !== 'string' || !idPattern.test(id) || !idPattern.test(type)) {
    throw new DomainError('invalid', 'validation_failed', 'The webhook event has no id or no type.')
  }
  measure(event)
  const object = at(event, 'data', 'object')
  const customer = idAt(object, 'customer')
  const subscription = subscriptionOf(type, object)
  const checkout = overTypes.has(type) ? idAt(object, 'id') : null
  return {
    id,
    type,
    modeMatches: member(event, 'livemode') === live,
    customerId: customer === null ? null : customerId(customer),
    subscriptionId: subscription === null ? null : subscriptionId(subscription),
    checkoutId: checkout === null ? null : checkoutId(checkout),
  }
}

/**
 * Whether a `Stripe-Signature` header signs exactly these bytes with one of the secrets, within 300 s of
 * `now` either way. The SDK's own check decodes the bytes before it hashes them, and accepts any future time
 * and any time that starts with digits, so it would accept events that were never signed.
 */
function isSigned(
  body: Uint8Array,
  header: string | undefined,
  secrets: readonly string[],
  now: Date,
): boolean {
  const read = readEventSignature(header, now)
  if (read === null) return false
  const signatures = read.signatures.map((signature) => Buffer.from(signature, 'hex'))
  return secrets
    .filter((secret) => secret.trim() !== '')
    .map((secret) => createHmac('sha256', secret).update(`${read.time}.`).update(body).digest())
    .some((expected) => signatures.some((signature) => timingSafeEqual(signature, expected)))
}

/** How events are authenticated. */
export interface SignedEventsSettings {
  /** The accepted signing secrets; two during a rotation. */
  readonly secrets: readonly string[]
  /** Whether this is live mode. */
  readonly live: boolean
  readonly now: () => Date
}

/** Events signed by Stripe. An invalid signature always gets the same response, so that it reveals nothing. */
export function signedProviderEvents({ secrets, live, now }: SignedEventsSettings): ProviderEvents {
  return {
    read(body, signature) {
      if (!isSigned(body, signature, secrets, now())) throw invalidSignature()
      return readProviderEvent(body, live)
    },
  }
}
