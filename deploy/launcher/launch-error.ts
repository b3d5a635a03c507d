/** Why the system cannot start, and what to do about it, in one sentence for the operator. */
export class LaunchError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'LaunchError'
  }
}

/**
 * The reason in the output of a process that has ended: the message of the uncaught error, or the last line. Stack
 * traces stay in the log.
 */
export function sentenceOf(printed: string): string {
  const lines = printed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const problems = lines.filter((line) => line.startsWith('- '))
  if (problems.length > 0) return problems.map((line) => line.slice(2)).join(' ')
  const thrown = lines.map((line) => /^(?:\w*Error|error)(?: \[\w+\])?: (.+)$/.exec(line)?.[1])
  return thrown.find((message) => message !== undefined) ?? lines.at(-1) ?? ''
}
