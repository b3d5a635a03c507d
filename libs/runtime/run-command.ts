import { ConfigError, type Environment } from '../config/read-variables.js'
import { messageOf } from '../core/message-of.js'

/**
 * Runs a command that ends by itself. A failure is told in its own sentence on stderr; the exit code is 78 (EX_CONFIG)
 * for a configuration problem and 1 for anything else.
 */
export async function runCommand(work: (env: Environment) => Promise<void>): Promise<void> {
  try {
    await work(process.env)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exitCode = error instanceof ConfigError ? 78 : 1
  }
}

/** A sentence of a command for whom it was run by. */
export function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`)
}
