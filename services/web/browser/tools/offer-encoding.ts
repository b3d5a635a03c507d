const codes = new Set(['not_utf8', 'not_in_encoding', 'encoding_unclear'])

/**
 * Shows the choice of an encoding where the input needs one, or has one: most input is UTF-8.
 * @param code why the input was refused; `null` if it was not.
 */
export function offerEncoding(code: string | null): void {
  const field = document.querySelector<HTMLSelectElement>('#option-encoding[data-fallback="auto"]')
  if (field === null) return
  const isNeeded = (code !== null && codes.has(code)) || field.value !== 'auto'
  if (field.parentElement !== null) field.parentElement.hidden = !isNeeded
}
