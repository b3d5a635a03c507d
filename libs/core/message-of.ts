/** The message of an error, or anything else that was thrown as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The same with the code of its cause: `fetch` puts the reason only there. */
export function messageWithCauseOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  return `${messageOf(error)}${code}`
}
