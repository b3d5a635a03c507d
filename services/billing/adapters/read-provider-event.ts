import { DomainError } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { checkoutId, customerId, subscriptionId } from '../domain/ids.js'
import type { ProviderEvent } from '../domain/provider-event.js'
import { apiVersion } from './stripe-client.js'

/** What ids and types of events are made of; anything else is not one and goes no further. */
const idPattern = /^[\w.:-]{1,255}$/

/** The checkouts that nobody can pay any more. */
const overTypes: ReadonlySet<string> = new Set(['checkout.session.completed', 'checkout.session.expired'])

/** There from the start, at 0: of a count that begins at 1 no alert sees the first event. */
const ofOtherVersion = metrics.providerEventsOfOtherVersion.series()

/** The member of that name, of an object that has it itself; `undefined` of anything else. */
function member(value: unknown, name: string): unknown {
  const has = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return has ? Reflect.get(value, name) : undefined
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce(member, value)
}

/** The id that stands there by itself or in an expanded object. */
function idAt(value: unknown, ...path: readonly string[]): string | null {
  const found = at(value, ...path)
  const id = typeof found === 'string' ? found : member(found, 'id')
  return typeof id === 'string' && idPattern.test(id) ? id : null
}

/** Where events say which subscription they are about; invoices had it elsewhere before the API of 2025-03-31. */
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

/** Tells how late an event is, and whether it is of another version of the API than the one that is read here. */
function measure(event: unknown): void {
  const created = member(event, 'created')
  if (typeof created === 'number')
    metrics.webhookLag.series('arrived').observe(Math.max(0, Date.now() / 1_000 - created))
  if (member(event, 'api_version') !== apiVersion) ofOtherVersion.inc()
}

/**
 * Reads an event of Stripe's, of whatever version of its API: a field that is missing or odd reads as `null`.
 * @param live whether the real mode is in use here.
 * @throws DomainError `malformed_json`; `validation_failed` when it has no id or no type.
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
