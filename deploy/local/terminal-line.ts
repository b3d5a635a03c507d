function fieldOf(event: object, name: string): unknown {
  return name in event ? Reflect.get(event, name) : undefined
}

function parseEvent(line: string): object | null {
  try {
    const event: unknown = JSON.parse(line)
    return typeof event === 'object' ? event : null
  } catch {
    return null
  }
}

/**
 * What the terminal shows of a line that a process logged: the message and the error of an `error` or `fatal` event,
 * or `null`. The log file has the line itself.
 */
export function terminalLine(name: string, line: string): string | null {
  // Nearly every line is neither, and is not worth parsing.
  if (!/"level":"(error|fatal)"/.test(line)) return null
  const event = parseEvent(line)
  if (event === null || !/^(error|fatal)$/.test(String(fieldOf(event, 'level')))) return null
  const error = fieldOf(event, 'err')
  const cause = typeof error === 'object' && error !== null ? fieldOf(error, 'message') : undefined
  const message = fieldOf(event, 'msg')
  const text = [message, cause].filter((part) => typeof part === 'string' && part !== '').join(': ')
  return `[${name}] ${text === '' ? line : text}`
}
