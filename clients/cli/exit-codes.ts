import { ConnectionError, ProblemError, SilenceTimeoutError } from '../sdk/problem-error.js'

/** Exit codes that scripts can rely on. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notSignedIn: 4,
  notFound: 5,
  limit: 6,
  unavailable: 7,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A failure with a message for people and a code for scripts. */
export class CliError extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.failed, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** An error of whoever typed the command. */
export function usageError(message: string, options?: ErrorOptions): CliError {
  return new CliError(message, exitCodes.usage, options)
}

/** Ends the program with a code for scripts, and says nothing: the result is printed. */
export class CliExit extends Error {
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode) {
    super()
    this.exitCode = exitCode
  }
}

function exitCodeOfProblem({ status, code }: ProblemError): ExitCode {
  if (status === 401) return exitCodes.notSignedIn
  if (status === 404 || status === 410) return exitCodes.notFound
  if (status === 413 || (status === 403 && /limit_reached$|^pro_required$/.test(code))) return exitCodes.limit
  return [408, 429, 502, 503, 504].includes(status) ? exitCodes.unavailable : exitCodes.failed
}

/** The exit code for any error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError || error instanceof CliExit) return error.exitCode
  if (error instanceof ProblemError) return exitCodeOfProblem(error)
  const isUnreachable = error instanceof ConnectionError || error instanceof SilenceTimeoutError
  return isUnreachable ? exitCodes.unavailable : exitCodes.failed
}

/** The message for people. */
export function describeError(error: unknown): string {
  if (!(error instanceof ProblemError)) return error instanceof Error ? error.message : String(error)
  const { detail, code, status, requestId, errors } = error
  const lines = errors.map(({ pointer, detail: wrong }) => `\n  ${pointer}: ${wrong}`)
  const reference = status >= 500 && requestId !== null ? ` (request ${requestId})` : ''
  return `${detail}${error.problem === null ? '' : ` [${code}]`}${reference}${lines.join('')}`
}

/**
 * Ends a command whose code 1 says that something does not pass: whatever goes wrong is 2.
 * @param explained finds a better error.
 */
export async function exitByVerdict(
  passes: () => Promise<boolean>,
  explained: (error: unknown) => Promise<unknown>,
): Promise<void> {
  const isPassed = await passes().catch(async (error: unknown) => {
    throw usageError(describeError(await explained(error)), { cause: error })
  })
  if (!isPassed) throw new CliExit(exitCodes.failed)
}
