import '../page-style.css'
import '../share/share.css'
import './guide.css'
import './api-reference.css'
import '../keep-fragment.js'
import { type Announce, openAnnouncements } from '../share/announcements.js'
import { copyCodeButton } from '../share/copy-code-button.js'
import { copiedCode } from './copied-code.js'

/** Shows only the links to operations that have all words in a field, in their names, methods, paths or anchors. */
function findOperations(field: HTMLInputElement, list: Element | null): void {
  const items = [...(list?.children ?? [])].map((item) => {
    const link = item.querySelector<HTMLAnchorElement>('[data-find]')
    return { item, words: link && `${link.textContent} ${link.dataset.find} ${link.hash}`.toLowerCase() }
  })
  field.addEventListener('input', () => {
    const asked = field.value.toLowerCase().split(/\s+/)
    const isEmpty = field.value.trim() === ''
    for (const { item, words } of items)
      if (item instanceof HTMLElement)
        item.hidden = words === null ? !isEmpty : !asked.every((word) => words.includes(word))
  })
}

/** Adds a copy button to a block of code. */
function addCopyButton(block: HTMLElement, announce: Announce): void {
  const code = block.querySelector<HTMLElement>('pre')
  const copied = copiedCode(code?.textContent ?? '', code?.dataset.lang === 'console')
  const [line = ''] = copied.split(/(?: \\)?\n/)
  const button = copyCodeButton(copied, line, announce)
  // The guide around it is in English.
  button.lang = document.documentElement.lang
  block.append(button)
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
