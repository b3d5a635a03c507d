import { copyToClipboard } from '../viewer/clipboard.js'

/**
 * Puts a text on the clipboard that is still on its way, given at once so that the browser sees that someone asked for
 * it just now; `false` when the browser refuses it, and rejected as the text is.
 */
export async function copyDeferred(text: Promise<string>): Promise<boolean> {
  if (navigator.clipboard === undefined) return copyToClipboard(await text)
  const blob = text.then((arrived) => new Blob([arrived], { type: 'text/plain' }))
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    return copyToClipboard(await text)
  }
}
