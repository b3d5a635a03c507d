import { readableSize, text } from '../../texts/text.js'
import { copiedMax, copyToClipboard } from '../viewer/clipboard.js'
import type { Announce } from './announcements.js'

/**
 * Copies a text that is still loading, called directly from the click so that the browser allows it. Resolves
 * to `false` when the browser refuses, and rejects when the text does.
 */
export async function copyDeferred(text: Promise<string>): Promise<boolean> {
  if (navigator.clipboard === undefined) return copyToClipboard(await text)
  // Browsers decode the bytes, which takes a byte order mark away: one more keeps it.
  const blob = text.then((arrived) => new Blob([arrived.replace(/^\ufeff/, '$&$&')], { type: 'text/plain' }))
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    return copyToClipboard(await text)
  }
}

/** Whether data of this size is too much for the clipboard, which it says. */
export function isTooLarge(size: number, announce: Announce): boolean {
  const isTooMuch = size > copiedMax
  if (isTooMuch) announce(text('share.tooLarge', { size: readableSize(size) }))
  return isTooMuch
}

/** Copies all of a document of this size, and says how much that was. */
export async function copyAll(load: () => Promise<string>, size: number, announce: Announce): Promise<void> {
  if (isTooLarge(size, announce)) return
  const loading = load()
  const isCopied = await copyDeferred(loading).catch(() => false)
  const copied = isCopied ? new Blob([await loading]).size : 0
  announce(isCopied ? text('share.copiedAll', { size: readableSize(copied) }) : text('place.notCopied'))
}
