import { copyToClipboard } from '../viewer/clipboard.js'

/**
 * Copies a text that is still loading, called directly from the click so that the browser allows it. Resolves
 * to `false` when the browser refuses, and rejects when the text does.
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
