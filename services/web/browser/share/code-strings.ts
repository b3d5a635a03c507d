/** An argument of a shell. */
export function shellString(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A string literal valid in JavaScript, Python and YAML; invisible characters are escaped. */
export function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** Text in a GitHub workflow, in which `${{` would start an expression. */
export function withoutExpressions(text: string): string {
  return text.replaceAll('\u0024{{', "\u0024{{ '\u0024{{' }}")
}
