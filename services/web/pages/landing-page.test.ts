import { describe, expect, it } from 'vitest'
import { tools } from '#engine/tools/registry.js'
import type { Plan } from '../plans/plan.js'
import { readPlans } from '../plans/read-plans.js'
import { parsePage } from '../testing/parse-page.js'
import { testAssets } from '../testing/test-assets.js'
import { testPlans } from '../testing/test-plans.js'
import { testSite } from '../testing/test-site.js'
import { landingPage } from './landing-page.js'

const live = { assets: testAssets.of('landing'), nonce: 'bm9uY2U=' }
const pageWith = (plans: readonly Plan[] | null, site = testSite): string =>
  landingPage(site, live, plans).toString()
const [free, pro] = testPlans

describe('the plans on the front page', () => {
  it('are there with their limits and prices before any script runs', () => {
    const page = pageWith(testPlans)
    expect(page.match(/<article class="plan">/g)).toHaveLength(2)
    expect(page).toContain('<h3>Free</h3>\n<p class="plan-price">Free of charge</p>')
    expect(page).toContain(
      '<p class="plan-price">€9 per month</p>\n<p class="plan-price">€90 per year, saves 16 %</p>',
    )
    expect(page).toContain('<div><dt>Snippets</dt><dd>15</dd></div>')
    expect(page).toContain('<div><dt>Snippets</dt><dd>unlimited</dd></div>')
    expect(page).not.toContain('/api/plans')
  })

  it('say so if prices are not known, and if nothing is for sale', () => {
    if (free === undefined || pro === undefined) throw new Error('there are no plans')
    expect(pageWith([free, { ...pro, prices: [] }])).toContain('Prices are not available right now.')
    const only = pageWith([{ ...pro, prices: [] }])
    expect(only).toContain('Free for everyone on this server.')
    expect(only).not.toContain('Prices are not available')
  })

  it('are a link if the gateway has not passed them on', () => {
    expect(pageWith(null)).toContain('<a href="/api/plans">')
    expect(readPlans('')).toBeNull()
    expect(readPlans('{')).toBeNull()
    expect(readPlans('{}')).toBeNull()
    expect(readPlans(JSON.stringify({ plans: testPlans }))).toEqual(testPlans)
  })
})

it('the field for data knows every tool; without tools it knows none, and nothing links to them', () => {
  const offered = (page: string): unknown =>
    JSON.parse(parsePage(page).attributeOf('<div class="paste"', 'data-tools'))
  expect(offered(pageWith(null))).toEqual(
    tools.map(({ name, title, input }) => ({ name, title, kind: input.kind })),
  )
  const without = pageWith(null, { ...testSite, tools: false })
  expect(offered(without)).toEqual([])
  expect(without).not.toContain('href="/tools')
})
