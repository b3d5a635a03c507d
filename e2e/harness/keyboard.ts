import type { Page } from 'playwright-core'

/** Operates a page with the keyboard only. */
export interface Keyboard {
  press(...keys: readonly string[]): Promise<void>
  type(text: string): Promise<void>
  /** The accessible name of the focused element. */
  focused(): Promise<string>
  /**
   * Presses Tab until an element with this name has the focus.
   * @throws Error when none does within `stepsMax` steps.
   */
  tabTo(name: string | RegExp, stepsMax?: number): Promise<void>
}

/** Runs in the page: the name of the focused element, from its labels first, then its text. */
const nameOfFocused = `(() => {
  const focused = document.activeElement
  const words = (element) => element?.textContent?.replace(/\\s+/g, ' ').trim() ?? ''
  const ids = focused?.getAttribute('aria-labelledby')?.split(' ') ?? []
  const labels = ids.length > 0 ? ids.map((id) => document.getElementById(id)) : [...(focused?.labels ?? [])]
  return focused?.getAttribute('aria-label') ?? (labels.map(words).join(' ').trim() || words(focused))
})()`

/** The keyboard of a page. */
export function keyboardOf(page: Page): Keyboard {
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const focused = (): Promise<string> => page.evaluate<string>(nameOfFocused)
  return {
    press,
    focused,
    type: (text) => page.keyboard.type(text),
    async tabTo(name, stepsMax = 40) {
      const passed: string[] = []
      for (let now = await focused(); typeof name === 'string' ? now !== name : !name.test(now); ) {
        passed.push(now.slice(0, 40))
        if (passed.length > stepsMax) throw new Error(`${name} is not reached, but ${passed.join(' | ')}`)
        await press('Tab')
        now = await focused()
      }
    },
  }
}
