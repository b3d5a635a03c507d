import { text } from '../../texts/text.js'
import { copyToClipboard } from '../viewer/clipboard.js'
import type { Announce } from './announcements.js'
import { pageButton } from './page-button.js'

/** A button that copies a line or a block of code, described by `what`. */
export function copyCodeButton(code: string, what: string, announce: Announce): HTMLButtonElement {
  const copy = async (): Promise<void> =>
    announce(text((await copyToClipboard(code)) ? 'landing.copied' : 'landing.notCopied'))
  const made = pageButton('button', text('kit.copy'), () => void copy())
  made.ariaLabel = text('landing.copyLine', { what })
  return made
}
