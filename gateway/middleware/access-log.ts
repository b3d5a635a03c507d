import type { RequestHandler } from 'express'
import type { Logger } from '#libs/log/logger.js'

/** The logger for lines of requests: none of their fields is a secret, and to look for one takes longer than to write. */
export function accessLogger(log: Logger): Logger {
  return log.child({}, { redact: [] })
}

/** What the line of a request tells beside its answer: template of the route, never the address itself or a body. */
export interface AccessFacts {
  readonly method: string | undefined
  readonly route: string
  readonly status: number
  readonly code: string | undefined
  readonly accountId: string | undefined
}

/** The same as fields of the line. */
export function accessFields({ method, route, status, code, accountId }: AccessFacts): object {
  return { method, route, status, code, account_id: accountId }
}

/** How a request ended. */
export interface AccessEnd {
  readonly requestId: unknown
  readonly tookMs: number
  /** Whether the whole answer was sent. */
  readonly complete: boolean
}

/** Writes the one line of a request; `fields` are those that the logger does not have already. */
export function logAccess(
  log: Pick<Logger, 'info'>,
  { requestId, tookMs, complete }: AccessEnd,
  fields?: object,
): void {
  const durationMs = Math.round(tookMs * 10) / 10
  log.info({ request_id: requestId, ...fields, duration_ms: durationMs, complete }, 'request')
}

/** One line a request, when its answer has ended. */
export function createAccessLog(processLog: Logger): RequestHandler {
  const log = accessLogger(processLog)
  return (request, response, next) => {
    const startedAt = performance.now()
    response.once('close', () => {
      const { statusCode: status, writableFinished: complete, locals } = response
      const { route = 'none', accountId, code } = locals
      const end = {
        requestId: response.getHeader('X-Request-Id'),
        tookMs: performance.now() - startedAt,
        complete,
      }
      logAccess(log, end, accessFields({ method: request.method, route, status, code, accountId }))
    })
    next()
  }
}
