import { type Html, html } from '#libs/html/html.js'
import { formatPrices, limitRows } from '../plans/format-plan.js'
import type { Plan } from '../plans/plan.js'
import { text } from '../texts/text.js'

/** The price lines below a plan's name; none if nothing is for sale. */
function costOf(plan: Plan, isSold: boolean): readonly string[] {
  if (!isSold) return []
  if (plan.id === 'free') return [text('landing.free')]
  const words = formatPrices(plan)
  return words.length === 0 ? [text('landing.noPrice')] : words
}

function card(plan: Plan, isSold: boolean): Html {
  const facts = limitRows.map(
    ({ name, words }) => html`<div><dt>${text(name)}</dt><dd>${words(plan.limits)}</dd></div>\n`,
  )
  const costs = costOf(plan, isSold).map((line) => html`<p class="plan-price">${line}</p>\n`)
  return html`<article class="plan"><h3>${plan.name}</h3>
${costs}<dl>
${facts}</dl></article>
`
}

/** The plans side by side. If there is only one, everyone has it and nothing is for sale. */
export function planCards(plans: readonly Plan[]): Html {
  const isSold = plans.length > 1
  const cards = html`<div class="plans">
${plans.map((plan) => card(plan, isSold))}</div>`
  return isSold ? cards : html`<p class="note">${text('landing.allPro')}</p>\n${cards}`
}
