import { type TextName, text } from '../../texts/text.js'
import { saveFile } from '../dashboard/kit/save-file.js'
import type { Announce } from '../share/announcements.js'
import { copyAsMenu, copyData } from '../share/copying.js'
import { pageButton } from '../share/page-button.js'
import { type CopiedRun, commandForms, copiedCommand } from './copy-command.js'
import type { OpenedOutput } from './read-output.js'

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
  /** Does what the button for saving does. */
  save(): void
}

/** Adds the actions. Those that need an output can be used once there is one. */
export function outputActions({ place, announce, run, onKeep }: OutputActionsParts): OutputActions {
  let outcome: OpenedOutput | null = null
  const button = (name: TextName, act: (made: OpenedOutput) => void, look = 'button'): HTMLButtonElement =>
    pageButton(look, text(name), () => {
      if (outcome !== null) act(outcome)
    })
  const copy = ({ output, isBinary }: OpenedOutput): void => {
    if (isBinary) announce(text('tool.binary'))
    else copyData(() => output.text(), output.size, text('tool.output'), announce)
  }
  const save = button('tool.save', (made) => onKeep('save', made))
  save.setAttribute('aria-keyshortcuts', 'Control+S Meta+S')
  const buttons = [
    button('tool.copy', copy, 'button first'),
    button('share.download', ({ output }) => saveFile(run().outputFile, output)),
    save,
    button('tool.share', (made) => onKeep('share', made)),
  ]
  const show = (made: OpenedOutput | null): void => {
    outcome = made?.refusal === null ? made : null
    for (const each of buttons) each.disabled = outcome === null
  }
  show(null)
  place.append(
    ...buttons,
    copyAsMenu(commandForms, (form) => copiedCommand(form, run()), announce),
  )
  return { show, save: () => save.click() }
}
