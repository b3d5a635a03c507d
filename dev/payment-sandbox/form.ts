/** The fields of a form by their raw names, such as `a[b][0]`. */
export type FormFields = ReadonlyMap<string, string>

const fieldsMax = 200

/**
 * Parses a form. Names stay as sent, so that a field can never reach a prototype.
 * @returns `null` for more fields than any valid request has.
 */
export function readForm(text: string): FormFields | null {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.size >= fieldsMax) return null
    fields.set(name, value)
  }
  return fields
}

/** The values under a name such as `metadata`, by key. */
export function textsUnder(fields: FormFields, name: string): Readonly<Record<string, string>> {
  const texts: [string, string][] = []
  for (const [field, value] of fields) {
    if (field.startsWith(`${name}[`) && field.endsWith(']'))
      texts.push([field.slice(name.length + 1, -1), value])
  }
  // Creates own properties, even for `__proto__`.
  return Object.fromEntries(texts)
}

/** The items of a list such as `expand`. */
export function itemsOf(fields: FormFields, name: string): readonly string[] {
  return Object.values(textsUnder(fields, name))
}
