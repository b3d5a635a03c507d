import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const wcag = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
/** The rules whose outcome depends on colors. */
const ofColors = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

async function violations(page: Page, runOnly: object): Promise<readonly string[]> {
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] })
  const found = await page.evaluate<readonly Violation[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(' ')}`)
}

/** Switches the color scheme, and ends the transitions between the colors. */
async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(`new Promise(requestAnimationFrame).then(() => {
    for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()
  })`)
}

/**
 * axe's violations of WCAG 2.2 A and AA on the current page, in both color schemes; empty if there are none. In the
 * second one, only the rules that depend on colors are checked again.
 */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source)
  const problems = [...(await violations(page, wcag))]
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches")
  const [first, second] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  await showIn(page, second)
  problems.push(...(await violations(page, ofColors)).map((problem) => `${problem} (${second})`))
  await showIn(page, first)
  return problems
}

/** By how many pixels a page overflows its window, which no page should. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** Fails unless the current page has neither, once what fades in is there. */
export async function expectAccessible(page: Page): Promise<void> {
  // Until a dialog has faded in, its colours are not its own.
  await page.evaluate<unknown>('Promise.all(document.getAnimations().map(({ finished }) => finished))')
  expect(await accessibilityProblems(page), page.url()).toEqual([])
  expect(await overflowOf(page), page.url()).toBe(0)
}
