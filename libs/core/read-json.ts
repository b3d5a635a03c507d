/** The value of a JSON text; `undefined` if it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The members of a JSON object; `null` for any other text. */
export function readMembers(text: string): Readonly<Record<string, unknown>> | null {
  const value = readJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}
