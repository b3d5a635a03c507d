import '../page-style.css'
import '../share/share.css'
import './guide.css'
import './api-reference.css'
import { type Announce, openAnnouncements } from '../share/announcements.js'
import { copyCodeButton } from '../share/copying.js'
import { copiedCode } from './copied-code.js'
import { findOperations } from './find-operations.js'

/** Adds a copy button to a block of code. */
function addCopyButton(block: HTMLElement, announce: Announce): void {
  const code = block.querySelector<HTMLElement>('pre')
  const copied = copiedCode(code?.textContent ?? '', code?.dataset.lang === 'console')
  const [line = ''] = copied.split(/(?: \\)?\n/)
  block.append(copyCodeButton(copied, line, announce))
}

const blocks = [...document.querySelectorAll<HTMLElement>('.docs-code')]
if (blocks.length > 0) {
  const announce = openAnnouncements()
  for (const block of blocks) addCopyButton(block, announce)
}

for (const field of document.querySelectorAll<HTMLInputElement>('.api-find'))
  findOperations(field, field.nextElementSibling)

const [field, found] = ['q', 'found'].map((id) => document.getElementById(id))
if (field instanceof HTMLInputElement && found) {
  const begin = async (): Promise<void> => {
    const { findAsYouType } = await import('./find-as-you-type.js')
    await findAsYouType(field, found)
  }
  // Where this does not load, the form still works.
  field.addEventListener('focus', () => void begin().catch(() => undefined), { once: true })
}
