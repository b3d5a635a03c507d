import { createHash } from 'node:crypto'
import { visibleMarks } from '#libs/core/readable-text.js'
import { type Html, html } from '#libs/html/html.js'
import { amounts } from './objects.js'
import type { SandboxModel } from './sandbox-model.js'
import type { SandboxResponse } from './sandbox-response.js'
import type { SandboxCheckout, SandboxInterval, SandboxPortal, SandboxSubscription } from './state.js'

/** Light and dark. */
export const styleSheet = `
:root{color-scheme:light dark;--ink:#1c1917;--quiet:#57534e;--paper:#fafaf9;--panel:#fff;--line:#8a8580;--accent:#0f766e;--on-accent:#fff}
@media (prefers-color-scheme:dark){:root{--ink:#f5f5f4;--quiet:#a8a29e;--paper:#141312;--panel:#1c1b1a;--line:#78736e;--accent:#5eead4;--on-accent:#042f2e}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:34rem;margin:0 auto;padding:2rem clamp(1rem,4vw,2rem) 4rem}
h1{font-size:1.7rem;line-height:1.25;margin:1rem 0 .5rem}
h2{font-size:1.15rem;margin:2rem 0 .5rem}
.panel{background:var(--panel);border:1px solid var(--line);border-radius:.7rem;padding:1rem 1.25rem;overflow-wrap:anywhere}
.sandbox{color:var(--quiet);border-left:.25rem solid var(--accent);padding-left:.8rem}
.price{font-size:1.4rem;font-weight:650;margin:0}
form{display:inline-block;margin:1rem .5rem 0 0}
button{font:inherit;font-weight:600;padding:.6rem 1.2rem;border-radius:.5rem;border:1px solid var(--line);background:transparent;color:var(--accent);cursor:pointer}
button.first{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
a{color:var(--accent)}
a:focus-visible,button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.failed{font-weight:650}
`

/** Contains a hash of the style, so that it can be cached forever. */
export const styleSheetPath = `/assets/${createHash('sha256').update(styleSheet).digest('hex').slice(0, 16)}.css`

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  // No form-action: a form may redirect to any page to which the payer returns.
  'Content-Security-Policy': "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-store',
}

function page(status: number, title: string, content: Html): SandboxResponse {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${styleSheetPath}">
</head>
<body>
<main>
<h1>${title}</h1>
<p class="sandbox">This is a sandbox: no money moves, and no one asks for a card.</p>
${content}
</main>
</body>
</html>
`
  return { status, headers: pageHeaders, body: markup }
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
    ? [html`<p class="failed" role="alert">The card was declined. Nothing was paid.</p>`]
    : []
  return page(
    200,
    'Subscribe to Snipkeep Pro',
    html`${refused}<div class="panel">
<p class="price">${priceOf(interval)}</p>
<p>For ${visibleMarks(email)}. It renews until it is cancelled.</p>
</div>
${button(`/pay/${id}/pay`, 'Pay', true)}
${button(`/pay/${id}/decline`, 'Decline')}
${button(`/pay/${id}/abandon`, 'Abandon')}`,
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
  return html`<div class="panel">
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
${button(`${action}/clock/day`, 'One day on')}
${button(`${action}/clock/month`, 'One month on')}
<p><a href="${portal.returnUrl}">Back to Snipkeep</a></p>`,
  )
}
