import { text } from '../../texts/text.js'
import { copiedMax } from './clipboard.js'
import type { DeepLink } from './deep-link.js'
import { element, pressButton } from './element.js'
import type { ChosenValue } from './view.js'

/** Names the chosen place, and copies what is there. */
export interface LinkBar {
  readonly element: HTMLElement
  show(place: DeepLink | null, value?: ChosenValue): void
  copyLink(): void
  /** Confirms an action in a few words. */
  say(message: string): void
}

export interface LinkBarParts {
  copy(text: string): Promise<void>
  linkTo(place: DeepLink): string | null
  /** Takes back the choice of the place. */
  clear(): void
}

const noticeMs = 4_000

/** The label of a place. */
export function nameOf(place: DeepLink): string {
  switch (place.kind) {
    case 'pointer':
      return place.pointer
    case 'cell':
      return text('place.cell', { row: place.row, column: place.column })
    case 'line': {
      const { form, line, end } = place
      const isSent = form !== undefined
      if (end === undefined) return text(isSent ? 'place.sentLine' : 'place.line', { line })
      return text(isSent ? 'place.sentLines' : 'place.lines', { line, end })
    }
    default:
      return place satisfies never
  }
}

/** A bar at the bottom of the window, there only while a place is chosen or there is something to say. */
export function linkBar({ copy, linkTo, clear }: LinkBarParts): LinkBar {
  const name = element('span', 'viewer-place-name')
  const said = element('span', { class: 'viewer-said', attributes: { role: 'status' } })
  let chosen: DeepLink | null = null
  let held: ChosenValue | null = null
  let fading: ReturnType<typeof setTimeout> | undefined

  const suit = (): void => {
    whole.classList.toggle('viewer-place-empty', chosen === null && said.textContent === '')
  }
  const say = (message: string): void => {
    clearTimeout(fading)
    said.textContent = message
    suit()
    fading = setTimeout(() => {
      said.replaceChildren()
      suit()
    }, noticeMs)
  }
  const refused = (): void => say(text('place.notCopied'))
  const copyFrom = (read: (place: DeepLink) => string | null) => (): void => {
    const copied = chosen === null ? null : read(chosen)
    if (copied !== null) copy(copied).catch(refused)
  }
  const copyLinkNow = copyFrom(linkTo)
  const showAll = pressButton(text('place.show'), () => held?.show?.())
  const copyValue = pressButton(text('place.copyValue'), () => {
    held
      ?.read()
      .then((value) =>
        value === null || value.length > copiedMax ? say(text('place.tooLarge')) : copy(value),
      )
      .catch(refused)
  })
  const copyLink = pressButton(text('place.copyLink'), copyLinkNow)
  const copyPointer = pressButton(
    text('place.copyPointer'),
    copyFrom((place) => (place.kind === 'pointer' ? place.pointer : null)),
  )
  const leave = pressButton(text('place.close'), clear, '×')
  const show = (place: DeepLink | null, value?: ChosenValue): void => {
    chosen = place
    held = value ?? null
    name.textContent = place === null ? '' : nameOf(place)
    showAll.hidden = held?.show === undefined
    copyValue.hidden = held === null
    copyLink.hidden = place === null || linkTo(place) === null
    copyPointer.hidden = place?.kind !== 'pointer'
    leave.hidden = place === null
    suit()
  }
  const buttons = element('span', 'viewer-place-actions', showAll, copyValue, copyLink, copyPointer, leave)
  const whole = element('div', 'viewer-place', name, said, buttons)
  show(null)
  return { element: whole, show, say, copyLink: copyLinkNow }
}
