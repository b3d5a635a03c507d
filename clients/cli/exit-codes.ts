/** What scripts can tell apart. */
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

function exitCodeOf(status: number, code: string): ExitCode {
  if (status === 401) return exitCodes.notSignedIn
  if (status === 404 || status === 410) return exitCodes.notFound
  if (status === 413 || (status === 403 && /limit_reached$|^pro_required$/.test(code))) return exitCodes.limit
  return [408, 429, 502, 503, 504].includes(status) ? exitCodes.unavailable : exitCodes.failed
}

function field(problem: unknown, name: string): string {
  const value: unknown = Reflect.get(Object(problem), name)
  return typeof value === 'string' ? value : ''
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

/** An error response of the server, with its body as it came. */
export class ProblemError extends CliError {
  readonly status: number
  readonly body: string
  readonly code: string

  constructor(status: number, body: string, requestId = '') {
    const problem = parsed(body)
    const code = field(problem, 'code')
    const detail = field(problem, 'detail') || `The server responded ${status}.`
    const errors: unknown = Reflect.get(Object(problem), 'errors')
    const lines = (Array.isArray(errors) ? errors : []).map(
      (error) =>
        `\n  ${field(error, 'pointer') || field(error, 'parameter') || field(error, 'field')}: ${field(error, 'detail') || field(error, 'message')}`,
    )
    const reference = status >= 500 && requestId !== '' ? ` (request ${requestId})` : ''
    super(
      `${detail}${code === '' ? '' : ` [${code}]`}${reference}${lines.join('')}`,
      exitCodeOf(status, code),
    )
    this.status = status
    this.body = body
    this.code = code
  }
}
