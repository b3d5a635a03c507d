import { ConfigError, type Environment } from '../config/read-variables.js'
import { messageOf } from '../core/message-of.js'

/** A command that was called with arguments that it cannot make sense of; the message says how it is called. */
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
 * Runs a command that ends by itself. A failure is told in its own sentence on stderr; the exit code is 78 (EX_CONFIG)
 * for a configuration problem, 2 for wrong arguments and 1 for anything else.
 */
export async function runCommand(work: (env: Environment) => Promise<void>): Promise<void> {
  try {
    await work(process.env)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exitCode = exitCodeOf(error)
  }
}

/** A sentence of a command for whom it was run by. */
export function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`)
}
