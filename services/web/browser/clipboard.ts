/** The way of browsers that keep the clipboard from pages without TLS, such as those of a machine in the house. */
function copySelected(text: string): void {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'out-of-sight'
  const focused = document.activeElement
  // Inside a dialog that is open nothing outside can be selected.
  const around = focused?.closest('dialog') ?? document.body
  around.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!copied) throw new Error('the browser does not let this page copy')
}

/**
 * Puts a text on the clipboard. One that is still on its way is given as a promise, so that the browser sees that somebody
 * asked for it just now.
 * @throws Error when the browser does not allow it, and whatever the promise rejects with.
 */
export async function copyText(text: string | Promise<string>): Promise<void> {
  if (navigator.clipboard === undefined) return copySelected(await text)
  if (typeof text === 'string') return navigator.clipboard.writeText(text)
  const blob = text.then((arrived) => new Blob([arrived], { type: 'text/plain' }))
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
  } catch (error) {
    // Why the text did not arrive says more than that there was nothing to copy.
    await text
    throw error
  }
}
