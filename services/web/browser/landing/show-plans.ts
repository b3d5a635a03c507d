import { text } from '../../texts/text.js'
import { formatPrices, limitRows } from '../plans/format-plan.js'
import type { Plan } from '../plans/plan.js'
import { element } from '../viewer/element.js'

/**
 * All plans, from the public API.
 * @throws Error when the request fails.
 */
export async function fetchPlans(): Promise<readonly Plan[]> {
  const response = await fetch('/api/plans')
  if (!response.ok) throw new Error(`/api/plans returned ${response.status}`)
  return (await response.json()).plans
}

/** The price lines below a plan's name; none if nothing is for sale. */
function costOf(plan: Plan, isSold: boolean): readonly string[] {
  if (!isSold) return []
  if (plan.id === 'free') return [text('landing.free')]
  const words = formatPrices(plan)
  return words.length === 0 ? [text('landing.noPrice')] : words
}

function card(plan: Plan, isSold: boolean): HTMLElement {
  const facts = limitRows.map(({ name, words }) =>
    element('div', '', element('dt', '', name), element('dd', '', words(plan.limits))),
  )
  return element(
    'article',
    'plan',
    element('h3', '', plan.name),
    ...costOf(plan, isSold).map((line) => element('p', 'plan-price', line)),
    element('dl', '', ...facts),
  )
}

/** The plans side by side. If there is only one, everyone has it and nothing is for sale. */
export function plansShown(plans: readonly Plan[]): readonly HTMLElement[] {
  const isSold = plans.length > 1
  const cards = element('div', 'plans', ...plans.map((plan) => card(plan, isSold)))
  return isSold ? [cards] : [element('p', 'note', text('landing.allPro')), cards]
}

/** Shown when the plans cannot be loaded. */
export function plansFailure(): readonly HTMLElement[] {
  const link = element('a', { attributes: { href: '/api/plans' } }, '/api/plans')
  return [element('p', '', `${text('landing.plansFailed')} `, link)]
}
