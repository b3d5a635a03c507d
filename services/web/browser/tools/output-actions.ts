import { readableSize } from '#libs/core/readable-text.js'
import { type TextName, text } from '../../texts/text.js'
import type { Announce } from '../share/announcements.js'
import { copyDeferred } from '../share/copy-deferred.js'
import { menuButton } from '../share/menu.js'
import { copyToClipboard } from '../viewer/clipboard.js'
import { element } from '../viewer/element.js'
import { type CopiedRun, commandForms, copiedCommand } from './copy-command.js'
import type { OpenedOutput } from './read-output.js'

/** Larger copies would freeze the clipboard and the program that receives them. */
const copiedBytesMax = 10 * 1_048_576

/** What the actions need of the page. */
export interface OutputActionsParts {
  readonly place: HTMLElement
  readonly announce: Announce
  /** The run that the page shows. */
  run(): CopiedRun
  onKeep(purpose: 'save' | 'share', outcome: OpenedOutput): void
}

/** The buttons below both panes. */
export interface OutputActions {
  /** Tells what they are about; `null` for nothing yet. */
  show(outcome: OpenedOutput | null): void
}

function download(output: Blob, name: string): void {
  const address = URL.createObjectURL(output)
  const link = element('a', { attributes: { href: address, download: name } })
  link.click()
  // The browser has taken the address by the time it asks for the next task.
  setTimeout(() => URL.revokeObjectURL(address))
}

/** Adds the actions. Those that need an output can be used once there is one. */
export function outputActions({ place, announce, run, onKeep }: OutputActionsParts): OutputActions {
  let outcome: OpenedOutput | null = null
  const button = (
    name: TextName,
    act: (outcome: OpenedOutput) => void,
    isFirst = false,
  ): HTMLButtonElement => {
    const attributes = { type: 'button', disabled: '' }
    const made = element('button', { class: isFirst ? 'button first' : 'button', attributes }, text(name))
    made.addEventListener('click', () => {
      if (outcome !== null) act(outcome)
    })
    return made
  }
  const tell = async (copying: Promise<boolean>, name: string): Promise<void> => {
    const copied = await copying.catch(() => false)
    announce(text(copied ? 'share.copied' : 'share.notCopied', { name }))
  }
  const copy = ({ output, isBinary }: OpenedOutput): void => {
    if (isBinary) announce(text('tool.binary'))
    else if (output.size > copiedBytesMax)
      announce(text('share.tooLarge', { size: readableSize(output.size) }))
    else void tell(copyDeferred(output.text()), text('tool.output'))
  }
  const buttons = [
    button('tool.copy', copy, true),
    button('share.download', ({ output }) => download(output, run().outputFile)),
    button('tool.save', (made) => onKeep('save', made)),
    button('tool.share', (made) => onKeep('share', made)),
  ]
  const items = commandForms.map((form) => ({
    label: text(`copyAs.${form}`),
    choose: () => void tell(copyToClipboard(copiedCommand(form, run())), text(`copyAs.${form}`)),
  }))
  place.append(...buttons, menuButton('copy-as', text('share.copyAs'), items))
  return {
    show(made) {
      outcome = made?.refusal === null ? made : null
      for (const each of buttons) each.disabled = outcome === null
    },
  }
}
