import { text } from '../../texts/text.js'
import type { DeepLink } from './deep-link.js'
import { element } from './element.js'
import { pressButton } from './press-button.js'

/** Shows the chosen place and what can be copied from it. */
export interface LinkBar {
  readonly element: HTMLElement
  show(place: DeepLink | null): void
  /** Confirms an action in a few words. */
  say(message: string): void
}

export interface LinkBarParts {
  copy(text: string): Promise<void>
  linkTo(place: DeepLink): string | null
}

const noticeMs = 4_000

/** The label of a place. */
export function nameOf(place: DeepLink): string {
  switch (place.kind) {
    case 'pointer':
      return place.pointer
    case 'cell':
      return text('place.cell', { row: place.row, column: place.column })
    case 'line':
      return text(place.form === undefined ? 'place.line' : 'place.sentLine', { line: place.line })
    default:
      return place satisfies never
  }
}

/** A bar below the views. It is always visible, so that choosing a place moves nothing. */
export function linkBar({ copy, linkTo }: LinkBarParts): LinkBar {
  const name = element('span', 'viewer-place-name')
  const said = element('span', 'viewer-said')
  said.setAttribute('role', 'status')
  let chosen: DeepLink | null = null
  let fading: ReturnType<typeof setTimeout> | undefined

  const say = (message: string): void => {
    clearTimeout(fading)
    said.textContent = message
    fading = setTimeout(() => said.replaceChildren(), noticeMs)
  }
  const copyFrom = (read: (place: DeepLink) => string | null) => (): void => {
    const copied = chosen === null ? null : read(chosen)
    if (copied !== null) copy(copied).catch(() => say(text('place.notCopied')))
  }
  const copyLink = pressButton(text('place.copyLink'), copyFrom(linkTo))
  const copyPointer = pressButton(
    text('place.copyPointer'),
    copyFrom((place) => (place.kind === 'pointer' ? place.pointer : null)),
  )
  const show = (place: DeepLink | null): void => {
    chosen = place
    name.textContent = place === null ? text('place.hint') : nameOf(place)
    name.classList.toggle('viewer-place-hint', place === null)
    copyLink.hidden = place === null || linkTo(place) === null
    copyPointer.hidden = place?.kind !== 'pointer'
  }
  show(null)
  return { element: element('div', 'viewer-place', name, copyLink, copyPointer, said), show, say }
}
