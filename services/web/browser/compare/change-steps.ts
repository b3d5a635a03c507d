import { text } from '../../texts/text.js'
import { element, pressButton } from '../viewer/element.js'
import type { FoundMatch } from '../viewer/view.js'

/** The way from change to change. */
export interface ChangeSteps {
  readonly element: HTMLElement
  /** Listens to the keys of the steps in this element; returns what ends that. */
  listen(around: HTMLElement): () => void
}

const stepsOfKeys: Readonly<Record<string, 1 | -1>> = { n: 1, j: 1, p: -1, k: -1 }

/** The step that a key stands for; `null` for other keys, and for those that someone types. */
export function stepOfKey(
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  isTyping: boolean,
): 1 | -1 | null {
  if (isTyping || ctrlKey || metaKey || altKey) return null
  return Object.hasOwn(stepsOfKeys, key) ? (stepsOfKeys[key] ?? null) : null
}

function isTyping({ target }: Event): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable]')
}

/** Buttons that go to the next change and the one before, and say which one that is. */
export function changeSteps(find: (backwards: boolean) => Promise<FoundMatch | null>): ChangeSteps {
  const said = element('span', { class: 'comparison-place', attributes: { role: 'status' } })
  const step = async (by: 1 | -1): Promise<void> => {
    const found = await find(by === -1)
    if (found === null) said.textContent = text('compare.noMore')
    else if (found.index !== null && found.total !== null)
      said.textContent = text('compare.place', { index: found.index + 1, total: found.total })
    else said.textContent = ''
  }
  const go = (by: 1 | -1): void => {
    step(by).catch(() => {
      said.textContent = text('search.failed')
    })
  }
  const previous = pressButton(text('diff.previous'), () => go(-1), '↑')
  const next = pressButton(text('diff.next'), () => go(1), '↓')
  previous.title = `${text('diff.previous')} (P)`
  next.title = `${text('diff.next')} (N)`
  previous.setAttribute('aria-keyshortcuts', 'p k')
  next.setAttribute('aria-keyshortcuts', 'n j')
  return {
    element: element('div', 'viewer-tools', previous, next, said),
    listen(around) {
      const onKey = (event: KeyboardEvent): void => {
        const by = stepOfKey(event, isTyping(event))
        if (by === null) return
        event.preventDefault()
        go(by)
      }
      around.addEventListener('keydown', onKey)
      return () => around.removeEventListener('keydown', onKey)
    },
  }
}
