/** More characters would freeze the clipboard and the program that receives them. */
export const copiedMax = 10 * 1_048_576

/** For pages without the clipboard API, such as those without TLS. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'viewer-copy-source'
  document.body.append(field)
  const focused = document.activeElement
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return done
}

/** Copies text; returns `false` when the browser refuses. */
export async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}
