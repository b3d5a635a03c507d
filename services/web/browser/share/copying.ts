import { text } from '../../texts/text.js'
import { copyToClipboard } from '../viewer/clipboard.js'
import { element } from '../viewer/element.js'
import { menuOf } from '../viewer/menu.js'
import type { MenuItem } from '../viewer/menu-item.js'
import type { Announce } from './announcements.js'
import { copyDeferred, isTooLarge } from './copy-all.js'
import { pageButton } from './page-button.js'

/** The snippets of code to choose from. */
export const copyForms = ['curl', 'fetch', 'python', 'actions'] as const
export type CopyForm = (typeof copyForms)[number]

async function tell(copying: Promise<boolean>, name: string, announce: Announce): Promise<void> {
  const copied = await copying.catch(() => false)
  announce(text(copied ? 'share.copied' : 'share.notCopied', { name }))
}

/** Copies a text, and says whether that worked, by the name of what was to be copied. */
export function copyText(value: string, name: string, announce: Announce): void {
  void tell(copyToClipboard(value), name, announce)
}

/** The same for data of this size that is fetched first. */
export function copyData(load: () => Promise<string>, size: number, name: string, announce: Announce): void {
  if (!isTooLarge(size, announce)) void tell(copyDeferred(load()), name, announce)
}

type CodeForm = 'curl' | 'fetch' | 'python' | 'actions' | 'cli'

/** Code to copy in each of these forms. What makes the code may be loaded first. */
export function copyAsItems<Form extends CodeForm>(
  forms: readonly Form[],
  codeIn: (form: Form) => string | Promise<string>,
  announce: Announce,
): readonly MenuItem[] {
  return forms.map((form) => {
    const label = text(`copyAs.${form}`)
    return { label, choose: () => copyData(async () => codeIn(form), 0, label, announce) }
  })
}

/** A button with a menu of these. */
export function copyAsMenu<Form extends CodeForm>(
  forms: readonly Form[],
  codeIn: (form: Form) => string | Promise<string>,
  announce: Announce,
): HTMLElement {
  const button = pageButton('button opens-menu', text('share.copyAs'), () => undefined)
  const menu = menuOf(button, () => [copyAsItems(forms, codeIn, announce)])
  return element('span', 'menu-around', button, menu)
}
