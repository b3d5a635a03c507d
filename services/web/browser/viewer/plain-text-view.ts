import { element } from './element.js'
import { openLineView } from './line-view.js'
import type { OpenView, View } from './view.js'

/** Whether a swap would take something away from under somebody's hands. */
function isInUse(host: HTMLElement): boolean {
  const selection = document.getSelection()
  return selection !== null && !selection.isCollapsed && host.contains(selection.anchorNode)
}

/**
 * Shows the text as plain lines at once. The editor, which is heavy, takes their place in silence when somebody turns
 * to the text: points at it, goes there by keyboard, searches it or goes to one of its lines.
 */
export const openPlainTextView: OpenView = async (host, parts) => {
  const plainHost = element('div', 'viewer-fill')
  host.append(plainHost)
  const plain = await openLineView(plainHost, parts, 'shown')
  let view: View = plain
  let wrapped = false
  let upgrading: Promise<void> | null = null

  const upgrade = async (): Promise<void> => {
    const { openCodeView } = await import('./code/code-view.js')
    const codeHost = element('div', 'viewer-fill')
    const hadFocus = plainHost.contains(document.activeElement)
    codeHost.classList.add('viewer-behind')
    host.append(codeHost)
    const code = await openCodeView(codeHost, parts, { form: 'shown', topLine: plain.topLine() })
    code.setWrap(wrapped)
    plain.close()
    plainHost.remove()
    codeHost.classList.remove('viewer-behind')
    if (hadFocus) codeHost.querySelector<HTMLElement>('.cm-content')?.focus({ preventScroll: true })
    view = code
  }
  const upgraded = (): Promise<void> => {
    upgrading ??= upgrade()
    return upgrading
  }
  const onInterest = (): void => {
    if (view !== plain || isInUse(host)) return
    // Whoever reads on sees the plain lines; what was asked for then tells of the failure.
    upgraded().catch(() => {
      upgrading = null
    })
  }
  host.addEventListener('pointerenter', onInterest, { once: true })
  host.addEventListener('focusin', onInterest, { once: true })

  return {
    async reveal(place) {
      await upgraded()
      return view.reveal(place)
    },
    async find(wanted) {
      await upgraded()
      return view.find(wanted)
    },
    setWrap(wrap) {
      wrapped = wrap
      view.setWrap(wrap)
    },
    close() {
      view.close()
      host.replaceChildren()
    },
  }
}
