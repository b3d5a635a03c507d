import { text } from './texts/text.js'

/** The units in which durations are told. */
const units = [
  [86_400_000, 'time.days'],
  [3_600_000, 'time.hours'],
  [60_000, 'time.minutes'],
] as const

/** A length of time as people read it, such as `29 days`. */
export function readableDuration(ms: number): string {
  const [size, name] = units.find(([unit]) => ms >= unit) ?? ([1_000, 'time.seconds'] as const)
  return text(name, { count: Math.max(1, Math.floor(ms / size)) })
}

/** A moment as people read it, such as `2030-01-31 12:00 UTC`. */
export function readableMoment(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** As much of UTF-8 bytes as whole characters, at most `limit` bytes. */
export function wholeCharacters(bytes: Uint8Array, limit: number): Uint8Array {
  let end = Math.min(bytes.length, limit)
  // Bytes 10xxxxxx continue a character: go back to its first one, unless the text ends here anyway.
  while (end < bytes.length && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end)
}
