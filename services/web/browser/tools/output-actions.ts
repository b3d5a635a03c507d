import { type TextName, text } from '../../texts/text.js'
import { saveFile } from '../dashboard/kit/save-file.js'
import type { Announce } from '../share/announcements.js'
import { copyAsMenu, copyData } from '../share/copying.js'
import { pageButton } from '../share/page-button.js'
import { element } from '../viewer/element.js'
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

/** The buttons above the output. */
export interface OutputActions {
  /** Tells what they are about; `null` for nothing yet. */
  show(outcome: OpenedOutput | null): void
  /** Do what the buttons for it do. */
  save(): void
  copy(): void
}

/** Adds the actions. Those that need an output can be used once there is one. */
export function outputActions({ place, announce, run, onKeep }: OutputActionsParts): OutputActions {
  let outcome: OpenedOutput | null = null
  const button = (
    name: TextName,
    act: (made: OpenedOutput) => void,
    look = 'tool-button',
  ): HTMLButtonElement =>
    pageButton(look, text(name), () => {
      if (outcome !== null) act(outcome)
    })
  const copy = ({ output, isBinary }: OpenedOutput): void => {
    if (isBinary) announce(text('tool.binary'))
    else copyData(() => output.text(), output.size, text('tool.output'), announce)
  }
  const why = element('span', { attributes: { id: 'no-output', hidden: '' } }, text('tool.nothingYet'))
  const copyButton = button('tool.copy', copy, 'tool-button first')
  copyButton.setAttribute('aria-keyshortcuts', 'Control+Shift+C Meta+Shift+C')
  const save = button('tool.saveTo', (made) => onKeep('save', made))
  save.setAttribute('aria-keyshortcuts', 'Control+S Meta+S')
  const buttons = [
    copyButton,
    button('share.download', ({ output }) => saveFile(run().outputFile, output)),
    save,
    button('tool.shareTo', (made) => onKeep('share', made)),
  ]
  const show = (made: OpenedOutput | null): void => {
    outcome = made?.refusal === null ? made : null
    for (const each of buttons) {
      each.disabled = outcome === null
      each.title = outcome === null ? text('tool.nothingYet') : ''
      if (outcome === null) each.setAttribute('aria-describedby', why.id)
      else each.removeAttribute('aria-describedby')
    }
  }
  show(null)
  place.replaceChildren(
    ...buttons,
    why,
    copyAsMenu(commandForms, (form) => copiedCommand(form, run()), announce),
  )
  return { show, save: () => save.click(), copy: () => copyButton.click() }
}
