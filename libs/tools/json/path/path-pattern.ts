/** A pattern of RFC 9485 as a regular expression; `null` for one that is not valid. */
export function patternOf(pattern: string, isWhole: boolean): RegExp | null {
  let isInClass = false
  const source = pattern.replace(/\\.|[[\].]/gsu, (token) => {
    if (token === '[') isInClass = true
    if (token === ']') isInClass = false
    return token === '.' && !isInClass ? '[^\\n\\r]' : token
  })
  try {
    return new RegExp(isWhole ? `^(?:${source})$` : source, 'u')
  } catch {
    return null
  }
}
