import { readableSize } from '#libs/core/readable-text.js'
import { text } from '../../texts/text.js'
import { copyToClipboard } from '../viewer/clipboard.js'
import type { Announce } from './announcements.js'
import { type MenuItem, menuButton } from './menu.js'

/** The snippets of code to choose from. */
export const copyForms = ['curl', 'fetch', 'python', 'actions'] as const
export type CopyForm = (typeof copyForms)[number]

/** Larger copies would freeze the clipboard and the program that receives them. */
const copiedBytesMax = 10 * 1_048_576

/**
 * Copies a text that is still loading, called directly from the click so that the browser allows it. Resolves
 * to `false` when the browser refuses, and rejects when the text does.
 */
async function copyDeferred(text: Promise<string>): Promise<boolean> {
  if (navigator.clipboard === undefined) return copyToClipboard(await text)
  const blob = text.then((arrived) => new Blob([arrived], { type: 'text/plain' }))
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    return copyToClipboard(await text)
  }
}

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
  if (size > copiedBytesMax) announce(text('share.tooLarge', { size: readableSize(size) }))
  else void tell(copyDeferred(load()), name, announce)
}

/** A menu of code to copy, in each of these forms. What makes the code may be loaded first. */
export function copyAsMenu<Form extends 'curl' | 'fetch' | 'python' | 'actions' | 'cli'>(
  forms: readonly Form[],
  codeIn: (form: Form) => string | Promise<string>,
  announce: Announce,
): HTMLElement {
  const items = forms.map((form): MenuItem => {
    const label = text(`copyAs.${form}`)
    return { label, choose: () => copyData(async () => codeIn(form), 0, label, announce) }
  })
  return menuButton('copy-as', text('share.copyAs'), items)
}
