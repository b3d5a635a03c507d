import { visibleMarks } from '#libs/core/readable-text.js'
import { type Html, html } from '#libs/html/html.js'
import { plainPage, plainPageHeaders } from '#shared/plain-page.js'
import { amounts } from './objects.js'
import type { SandboxModel } from './sandbox-model.js'
import type { SandboxResponse } from './sandbox-response.js'
import type { SandboxCheckout, SandboxInterval, SandboxPortal, SandboxSubscription } from './state.js'

function page(status: number, title: string, content: Html): SandboxResponse {
  const hint = html`<p>This is a sandbox: no money moves, and no one asks for a card.</p>\n`
  // A form may redirect to any page to which the payer returns.
  const headers = { ...plainPageHeaders(null), 'X-Robots-Tag': 'noindex' }
  return { status, headers, body: plainPage(title, 'sandbox', html`${hint}${content}`) }
}

/** 404. */
export function missingPage(): SandboxResponse {
  return page(
    404,
    'There is nothing here',
    html`<p>The address is unknown; perhaps the sandbox was emptied since.</p>`,
  )
}

function priceOf(interval: SandboxInterval): string {
  return `€${(amounts[interval] / 100).toFixed(2)} a ${interval}`
}

function date(seconds: number): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function button(action: string, label: string, first = false): Html {
  const kind = first ? 'first' : 'other'
  return html`<form method="post" action="${action}"><button class="${kind}">${label}</button></form>`
}

export function checkoutPage(
  model: SandboxModel,
  checkout: SandboxCheckout,
  declined: boolean,
): SandboxResponse {
  const { id, interval, status, customer, successUrl, cancelUrl } = checkout
  if (status === 'complete') {
    return page(200, 'This is paid', html`<p>Pro is on its way. <a href="${successUrl}">Continue</a></p>`)
  }
  if (status === 'expired') {
    return page(
      410,
      'This page has expired',
      html`<p>Nothing was paid. <a href="${cancelUrl}">Go back</a></p>`,
    )
  }
  const email = model.state.customers[customer]?.email ?? 'a customer without an address'
  const refused = declined
    ? [html`<p class="wrong" role="alert">The card was declined. Nothing was paid.</p>`]
    : []
  return page(
    200,
    'Subscribe to Snipkeep Pro',
    html`${refused}<p class="price">${priceOf(interval)}</p>
<p>For ${visibleMarks(email)}. It renews until it is cancelled.</p>
<div class="buttons">
${button(`/pay/${id}/pay`, 'Pay', true)}
${button(`/pay/${id}/decline`, 'Decline')}
${button(`/pay/${id}/abandon`, 'Abandon')}
</div>`,
  )
}

function subscriptionPart(portal: SandboxPortal, subscription: SandboxSubscription): Html {
  const { id, status, interval, periodEnd, cancelAtPeriodEnd } = subscription
  const action = `/portal/${portal.id}/subscriptions/${id}`
  const ending = cancelAtPeriodEnd ? ' and ends then' : ''
  const change = cancelAtPeriodEnd
    ? button(`${action}/resume`, 'Go on')
    : button(`${action}/cancel`, 'Cancel')
  const period = status === 'canceled' ? '' : `, paid until ${date(periodEnd)}${ending}`
  return html`<div>
<p><strong>${status.replace('_', ' ')}</strong>: ${priceOf(interval)}${period}.</p>
${status === 'canceled' ? [] : [change]}
</div>`
}

/** Lets a customer manage subscriptions, and move the clock. */
export function portalPage(model: SandboxModel, portal: SandboxPortal): SandboxResponse {
  const { customers, subscriptions, invoices } = model.state
  const succeed = customers[portal.customer]?.paymentsSucceed !== false
  const own = Object.values(subscriptions).filter(({ customer }) => customer === portal.customer)
  const bills = Object.values(invoices).filter(({ customer }) => customer === portal.customer)
  const action = `/portal/${portal.id}`
  return page(
    200,
    'Your subscription',
    html`${own.toReversed().map((one) => subscriptionPart(portal, one))}
<h2>Invoices</h2>
<ul>${bills.toReversed().map(({ created, amount, status }) => html`<li>${date(created)}: €${(amount / 100).toFixed(2)}, ${status}</li>`)}</ul>
<h2>Means of payment</h2>
<p>The next payments will ${succeed ? 'go through' : 'fail'}.</p>
${button(`${action}/payments/${succeed ? 'fail' : 'succeed'}`, succeed ? 'Let them fail' : 'Let them go through')}
<h2>Clock</h2>
<p>Here it is ${date(model.now())}.</p>
<div class="buttons">
${button(`${action}/clock/day`, 'One day on')}
${button(`${action}/clock/month`, 'One month on')}
</div>
<p><a href="${portal.returnUrl}">Back to Snipkeep</a></p>`,
  )
}
