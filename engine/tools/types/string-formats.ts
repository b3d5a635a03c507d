const date =
  '\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))'
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'
const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'

/**
 * Formats of JSON Schema, each with a part of what they allow that is hardly anything else: no 29th of February, no
 * URI but those with an authority.
 */
export const stringFormats: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['date-time', new RegExp(`^${date}[Tt]${time}$`)],
  ['date', new RegExp(`^${date}$`)],
  ['time', new RegExp(`^${time}$`)],
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i],
  ['email', /^[a-z\d_+-]+(?:\.[a-z\d_+-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/i],
  [
    'uri',
    /^[a-z][a-z\d+.-]{1,30}:\/\/[a-z\d.-]+(?::\d{1,5})?(?:\/(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*)?(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?$/i,
  ],
  ['ipv4', new RegExp(`^${octet}(?:\\.${octet}){3}$`)],
]

/** Longer strings have no format, and are not remembered. */
export const formatUnitsMax = 256

/** Those of these formats that a string has; formats are bits, the first the lowest. */
export function formatsOf(text: string, among: number): number {
  let found = 0
  for (const [bit, [, pattern]] of stringFormats.entries())
    if ((among & (1 << bit)) !== 0 && pattern.test(text)) found |= 1 << bit
  return found
}

/** The first of these formats. */
export function formatName(formats: number): string | null {
  return stringFormats.find((_format, bit) => (formats & (1 << bit)) !== 0)?.[0] ?? null
}
