const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

/** Where the digits from `at` on end. */
function afterDigits(bytes: Uint8Array, at: number, end: number): number {
  let next = at
  while (next < end && isDigit(bytes[next])) next += 1
  return next
}

/** Whether a range is spelled like a JSON number. */
export function isJsonNumber(bytes: Uint8Array, start: number, end: number): boolean {
  const whole = bytes[start] === 0x2d ? start + 1 : start
  let at = afterDigits(bytes, whole, end)
  if (at === whole || (bytes[whole] === 0x30 && at > whole + 1)) return false
  if (at < end && bytes[at] === 0x2e) {
    const fraction = at + 1
    at = afterDigits(bytes, fraction, end)
    if (at === fraction) return false
  }
  if (at < end && ((bytes[at] as number) | 0x20) === 0x65) {
    at += bytes[at + 1] === 0x2b || bytes[at + 1] === 0x2d ? 2 : 1
    const exponent = at
    at = afterDigits(bytes, Math.min(exponent, end), end)
    if (at === exponent) return false
  }
  return at === end
}
