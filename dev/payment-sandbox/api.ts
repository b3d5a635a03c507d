import { sandboxPrices } from '#shared/sandbox-prices.js'
import { type FormFields, itemsOf, textsUnder } from './form.js'
import {
  checkoutObject,
  customerObject,
  invoiceObject,
  invoicePaymentObject,
  portalObject,
  priceObject,
  type StripeObject,
  subscriptionObject,
} from './objects.js'
import type { SandboxModel } from './sandbox-model.js'
import type { SandboxInterval } from './state.js'

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

/** A parsed request. */
export interface ApiRequest {
  readonly model: SandboxModel
  /** The value of `:id` in the path. */
  readonly id: string
  /** From the query or the body. */
  readonly fields: FormFields
}

type Handler = (request: ApiRequest) => object

function take<T>(records: Readonly<Record<string, T>>, what: string, id: string): T {
  const found = records[id]
  if (found === undefined) throw missing(what, id)
  return found
}

function required(fields: FormFields, name: string): string {
  const value = fields.get(name)
  if (value === undefined || value === '') {
    throw badRequest('parameter_missing', `Missing required param: ${name}.`, name)
  }
  return value
}

function intervalOf(price: string): SandboxInterval {
  if (price === sandboxPrices.month) return 'month'
  if (price === sandboxPrices.year) return 'year'
  throw badRequest('resource_missing', `No such price: '${price}'`, 'line_items[0][price]')
}

/** A page of a list, newest first, as in Stripe's API. */
function listOf(objects: readonly StripeObject[], fields: FormFields): object {
  const limit = Math.min(Math.max(Number(fields.get('limit') ?? 10), 1), 100)
  const after = fields.get('starting_after')
  const from = after === undefined ? 0 : objects.findIndex(({ id }) => id === after) + 1
  const data = objects.slice(from, from + limit)
  return { object: 'list', data, has_more: objects.length > from + limit, url: '/v1' }
}

function newestFirst<T>(records: Readonly<Record<string, T>>): readonly T[] {
  return Object.values(records).toReversed()
}

const createCustomer: Handler = ({ model, fields }) =>
  customerObject(model.createCustomer(fields.get('email') ?? null, textsUnder(fields, 'metadata')))

const deleteCustomer: Handler = ({ model, id }) => {
  model.deleteCustomer(take(model.state.customers, 'customer', id))
  return { id, object: 'customer', deleted: true }
}

const createCheckout: Handler = ({ model, fields }) => {
  if (required(fields, 'mode') !== 'subscription') {
    throw badRequest('parameter_invalid', 'Only subscriptions are sold here.', 'mode')
  }
  const customer = required(fields, 'customer')
  if (model.state.customers[customer] === undefined) {
    throw badRequest('resource_missing', `No such customer: '${customer}'`, 'customer')
  }
  const checkout = model.createCheckout({
    customer,
    interval: intervalOf(required(fields, 'line_items[0][price]')),
    successUrl: required(fields, 'success_url'),
    cancelUrl: required(fields, 'cancel_url'),
    clientReference: fields.get('client_reference_id') ?? null,
    metadata: textsUnder(fields, 'metadata'),
    subscriptionMetadata: textsUnder(fields, 'subscription_data[metadata]'),
  })
  return checkoutObject(checkout, model.publicUrl)
}

const expireCheckout: Handler = ({ model, id }) => {
  const checkout = take(model.state.checkouts, 'checkout.session', id)
  if (checkout.status !== 'open') {
    const message = `Only Checkout Sessions with a status in ["open"] can be expired. This one is ${checkout.status}.`
    throw badRequest('checkout_session_not_open', message)
  }
  model.expire(checkout)
  return checkoutObject(checkout, model.publicUrl)
}

const readSubscription: Handler = ({ model, id, fields }) => {
  const found = take(model.state.subscriptions, 'subscription', id)
  return subscriptionObject(model.state, found, itemsOf(fields, 'expand'))
}

const listSubscriptions: Handler = ({ model, fields }) => {
  const expand = itemsOf(fields, 'expand').map((name) => name.replace(/^data\./, ''))
  const [status, customer] = [fields.get('status'), fields.get('customer')]
  const found = newestFirst(model.state.subscriptions)
    .filter((one) => customer === undefined || one.customer === customer)
    .filter(
      (one) => status === 'all' || (status === undefined ? one.status !== 'canceled' : one.status === status),
    )
  return listOf(
    found.map((one) => subscriptionObject(model.state, one, expand)),
    fields,
  )
}

const changeSubscription: Handler = (request) => {
  const { model, id, fields } = request
  const found = take(model.state.subscriptions, 'subscription', id)
  if (found.status === 'canceled') {
    throw badRequest('resource_missing', `No such subscription: '${id}'`, 'id')
  }
  const flag = fields.get('cancel_at_period_end')
  const cancel =
    flag === undefined ? found.cancelAtPeriodEnd && fields.get('cancel_at') !== '' : flag === 'true'
  if (cancel !== found.cancelAtPeriodEnd) model.setCancelAtPeriodEnd(found, cancel)
  return readSubscription(request)
}

const endSubscription: Handler = (request) => {
  const found = take(request.model.state.subscriptions, 'subscription', request.id)
  if (found.status === 'canceled') throw missing('subscription', request.id)
  request.model.end(found)
  return readSubscription(request)
}

const listInvoices: Handler = ({ model, fields }) => {
  const [subscription, customer] = [fields.get('subscription'), fields.get('customer')]
  const found = newestFirst(model.state.invoices)
    .filter((one) => subscription === undefined || one.subscription === subscription)
    .filter((one) => customer === undefined || one.customer === customer)
  return listOf(found.map(invoiceObject), fields)
}

const listInvoicePayments: Handler = ({ model, fields }) => {
  const invoice = fields.get('invoice')
  const found = newestFirst(model.state.invoices)
    .filter((one) => one.paymentIntent !== null)
    .filter((one) => invoice === undefined || one.id === invoice)
  return listOf(found.map(invoicePaymentObject), fields)
}

const createRefund: Handler = ({ model, fields }) => {
  const intent = required(fields, 'payment_intent')
  const invoice = Object.values(model.state.invoices).find((one) => one.paymentIntent === intent)
  if (invoice === undefined) throw badRequest('resource_missing', `No such payment_intent: '${intent}'`)
  const amount = invoice.amount - invoice.refunded
  if (amount === 0) throw badRequest('charge_already_refunded', 'The payment has already been refunded.')
  invoice.refunded = invoice.amount
  const refund = {
    id: `re_${invoice.id}`,
    object: 'refund',
    amount,
    payment_intent: intent,
    status: 'succeeded',
  }
  model.emit('charge.refunded', { id: `ch_${invoice.id}`, object: 'charge', customer: invoice.customer })
  return refund
}

const createPortal: Handler = ({ model, fields }) => {
  const customer = required(fields, 'customer')
  if (model.state.customers[customer] === undefined) {
    throw badRequest('resource_missing', `No such customer: '${customer}'`, 'customer')
  }
  return portalObject(model.createPortal(customer, required(fields, 'return_url')), model.publicUrl)
}

const price: Handler = ({ id }) => {
  if (id !== sandboxPrices.month && id !== sandboxPrices.year) throw missing('price', id)
  return priceObject(intervalOf(id))
}

/** The operations that billing uses, by method and path. */
const apiOperations: Readonly<Record<string, Handler>> = {
  'POST /v1/customers': createCustomer,
  'GET /v1/customers/:id': ({ model, id }) => customerObject(take(model.state.customers, 'customer', id)),
  'DELETE /v1/customers/:id': deleteCustomer,
  'POST /v1/checkout/sessions': createCheckout,
  'GET /v1/checkout/sessions/:id': ({ model, id }) =>
    checkoutObject(take(model.state.checkouts, 'checkout.session', id), model.publicUrl),
  'POST /v1/checkout/sessions/:id/expire': expireCheckout,
  'GET /v1/prices/:id': price,
  'GET /v1/subscriptions': listSubscriptions,
  'GET /v1/subscriptions/:id': readSubscription,
  'POST /v1/subscriptions/:id': changeSubscription,
  'DELETE /v1/subscriptions/:id': endSubscription,
  'GET /v1/invoices': listInvoices,
  'GET /v1/invoice_payments': listInvoicePayments,
  'POST /v1/refunds': createRefund,
  'POST /v1/billing_portal/sessions': createPortal,
}

const idSegment = /^[a-z]+_[A-Za-z0-9_]+$/

/** The operation of a request, and the id in its path; `null` if there is none. */
export function findOperation(
  method: string,
  path: string,
): { name: string; handle: Handler; id: string } | null {
  let id = ''
  const template = path
    .split('/')
    .map((segment) => {
      if (!idSegment.test(segment) || segment === 'billing_portal' || segment === 'invoice_payments')
        return segment
      id = segment
      return ':id'
    })
    .join('/')
  const name = `${method} ${template}`
  const handle = Object.hasOwn(apiOperations, name) ? apiOperations[name] : undefined
  return handle === undefined ? null : { name, handle, id }
}
