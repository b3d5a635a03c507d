/** The fields of a form in Stripe's notation, where `a[b][0]=c` is c at the path a, b, 0. */
export type FormFields = ReadonlyMap<string, string>

const fieldsMax = 200

/**
 * Reads a form; the names stay as they were sent, so that no name of a field is ever a name of an object's.
 * @returns `null` for more fields than any request has.
 */
export function readForm(text: string): FormFields | null {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.size >= fieldsMax) return null
    fields.set(name, value)
  }
  return fields
}

/** The texts under a name such as `metadata`, by their keys. */
export function textsUnder(fields: FormFields, name: string): Readonly<Record<string, string>> {
  const texts: [string, string][] = []
  for (const [field, value] of fields) {
    if (field.startsWith(`${name}[`) && field.endsWith(']'))
      texts.push([field.slice(name.length + 1, -1), value])
  }
  // As own properties whatever they are called.
  return Object.fromEntries(texts)
}

/** The items of a list such as `expand`. */
export function itemsOf(fields: FormFields, name: string): readonly string[] {
  return Object.values(textsUnder(fields, name))
}
