import { ConfigError, type Environment } from '../config/read-variables.js'
import { messageOf } from '../core/message-of.js'

/** A command was called with invalid arguments; the message includes its usage. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError) return 78
  return error instanceof UsageError ? 2 : 1
}

/**
 * Runs a command that exits by itself. A failure prints its message on stderr; the exit code is 78 (EX_CONFIG) for a
 * configuration problem, 2 for wrong arguments and 1 for anything else.
 */
export async function runCommand(work: (env: Environment) => Promise<void>): Promise<void> {
  try {
    await work(process.env)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exitCode = exitCodeOf(error)
  }
}

/** Prints a line for the user of a command. */
export function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`)
}
