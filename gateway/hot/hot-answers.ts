import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '#libs/log/logger.js'
import { telemetry } from '#libs/telemetry/telemetry.js'
import type { Caller } from '../exchange.js'
import type { ClientAddress } from '../limits/client-address.js'
import { accessFields, accessLogger } from '../middleware/access-log.js'
import { type Bookkeeping, whenEnded } from '../middleware/bookkeeping.js'
import { headFault } from '../middleware/check-head.js'
import { requestIdOf } from '../middleware/request-id.js'
import { type Begun, leaveBegun } from './begun.js'

/** A request that may be answered before the app sees it. */
export interface HotRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** Whom the limits per client address count it for. */
  readonly address: string
}

/** What became of it: answered, for this caller or for anyone, or left to the app with what has been found out. */
export type HotEnd = { readonly caller: Caller | null } | { readonly left: Omit<Begun, 'startedAt'> }

/** An address that is asked for often. */
export interface HotRoute {
  /** Its template, as the operation has it. */
  readonly path: '/api/shares/{id}' | '/api/snippets/{id}'
  /** Answers, and never rejects; `null` where nothing is begun. */
  begin(id: string, hot: HotRequest): Promise<HotEnd> | null
}

/** Answers plain reads of a snippet or a share. */
export interface HotAnswers {
  /** False for a request that is left to the app at once; another is given to `app` if it cannot be answered. */
  answer(request: IncomingMessage, response: ServerResponse, app: () => void): boolean
}

/** What such answers are made with. */
export interface HotParts {
  readonly routes: readonly HotRoute[]
  readonly clientAddress: ClientAddress
  readonly books: Bookkeeping
  readonly log: Logger
}

const hotPath = /^(\/api\/(?:snippets|shares)\/)([0-9A-Za-z]{22})$/

/** Whether nothing in the head asks for more than the answer itself. */
function isPlain(request: IncomingMessage): boolean {
  const {
    'if-none-match': known,
    'content-length': length,
    'transfer-encoding': coding,
    origin,
  } = request.headers
  const odd = known ?? length ?? coding ?? origin
  return request.method === 'GET' && odd === undefined && headFault(request) === null
}

/**
 * Answers what is asked most, plain reads of small snippets and shares, without Express: that alone takes longer than
 * all that is done for them (docs/decisions/0040-hot-answers.md). The same checks are made in the same order by the
 * same functions. Whatever is out of the ordinary, every error included, is the app's to answer.
 */
export function createHotAnswers({ routes, clientAddress, books, log: processLog }: HotParts): HotAnswers {
  const log = accessLogger(processLog)
  const routeOf = new Map(routes.map((route) => [route.path.slice(0, -'{id}'.length), route]))

  const finish = (hot: HotRequest, { path }: HotRoute, startedAt: number, caller: Caller | null): void => {
    const { response, requestId } = hot
    whenEnded(response, () => {
      const answer = { method: 'GET', route: path, status: 200 }
      const fields = accessFields({ ...answer, code: undefined, accountId: caller?.accountId })
      const apiKeyId = caller?.provenBy.kind === 'api-key' ? caller.provenBy.id : null
      const end = { requestId, tookMs: performance.now() - startedAt, complete: response.writableFinished }
      books.add({ ...end, ...answer, log, fields, apiKeyId, refusedBy: null })
    })
  }

  return {
    answer(request, response, app) {
      const [, prefix = '', id = ''] = hotPath.exec(request.url ?? '') ?? []
      const route = routeOf.get(prefix)
      // A traced request is traced through all of its handling.
      if (route === undefined || !isPlain(request) || telemetry.traces !== null) return false
      const startedAt = performance.now()
      const requestId = requestIdOf(request)
      const { 'x-forwarded-for': forwardedFor } = request.headers
      const address = clientAddress(
        request.socket.remoteAddress,
        Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor,
      )
      const hot = { request, response, requestId, address }
      const begun = route.begin(id, hot)
      if (begun === null) return false
      void begun.then((end) => {
        if ('caller' in end) return finish(hot, route, startedAt, end.caller)
        // The app goes on under the same id.
        request.headers['x-request-id'] = requestId
        leaveBegun(response, { startedAt, ...end.left })
        app()
      })
      return true
    },
  }
}
