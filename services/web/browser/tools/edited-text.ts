/** Longer text would make a text area slow. */
export const textLengthMax = 1_048_576

/** Replaces the text as if it were typed, so that the browser can undo it. */
export function replaceText(area: HTMLTextAreaElement, value: string): void {
  if (area.value === value) return
  if (area.value !== '') {
    area.focus({ preventScroll: true })
    area.select()
    if (document.execCommand(value === '' ? 'delete' : 'insertText', false, value)) return
  }
  area.value = value
}

/** Takes pasted text that is too long for the text area. */
export function takeLongPastes(area: HTMLTextAreaElement, take: (pasted: string) => void): void {
  area.addEventListener('paste', (event) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? ''
    if (pasted.length <= textLengthMax) return
    event.preventDefault()
    take(pasted)
  })
}
