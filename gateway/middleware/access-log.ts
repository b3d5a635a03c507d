import type { RequestHandler } from 'express'
import type { Logger } from '#libs/log/logger.js'

/** One line a request, when its answer has ended: template of the route, never the address itself or a body. */
export function createAccessLog(log: Logger): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now()
    response.once('close', () => {
      const { route, accountId, code } = response.locals
      log.info(
        {
          request_id: response.getHeader('X-Request-Id'),
          method: request.method,
          route: route ?? 'none',
          status: response.statusCode,
          code,
          account_id: accountId,
          duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
          complete: response.writableFinished,
        },
        'request',
      )
    })
    next()
  }
}
