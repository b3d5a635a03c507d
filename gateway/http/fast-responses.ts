import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '#libs/log/logger.js'
import { telemetry } from '#libs/telemetry/telemetry.js'
import { type Begun, leaveBegun } from '../pipeline/begun.js'
import type { ClientAddress } from '../rate-limits/client-address.js'
import { accessLogger } from './access-log.js'
import type { Caller } from './exchange.js'
import { readPlainHead } from './parse-simple-get.js'
import { acceptedId } from './request-id.js'
import { type Bookkeeping, whenEnded } from './request-log.js'
import type { ShareHost } from './share-host.js'

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
  /** `null` where shares have no host of their own. */
  readonly shareHost: ShareHost | null
  readonly books: Bookkeeping
  readonly log: Logger
}

const hotPath = /^(\/api\/(?:snippets|shares)\/)([0-9A-Za-z]{22})$/

/**
 * Answers what is asked most, plain reads of small snippets and shares, without Express: that alone takes longer than
 * all that is done for them (docs/decisions/0040-hot-answers.md). The same checks are made in the same order by the
 * same functions. Whatever is out of the ordinary, every error included, is the app's to answer.
 */
export function createHotAnswers({
  routes,
  clientAddress,
  shareHost,
  books,
  log: processLog,
}: HotParts): HotAnswers {
  const log = accessLogger(processLog)
  const known = routes.map((route) => {
    const answered = { method: 'GET', route: route.path, status: 200 } as const
    // What every line of the route tells is written but once.
    return { route, answered, log: log.child(answered) }
  })
  const routeOf = new Map(known.map((one) => [one.route.path.slice(0, -'{id}'.length), one]))

  const finish = (
    hot: HotRequest,
    { answered, log }: (typeof known)[number],
    startedAt: number,
    caller: Caller | null,
  ): void => {
    const { response, requestId } = hot
    whenEnded(response, () => {
      // One literal: to put it together by spreading others took a tenth of the time of a share.
      books.add({
        requestId,
        method: answered.method,
        route: answered.route,
        status: answered.status,
        tookMs: performance.now() - startedAt,
        complete: response.writableFinished,
        log,
        fields: { account_id: caller?.accountId },
        apiKeyId: caller?.provenBy.kind === 'api-key' ? caller.provenBy.id : null,
        refusedBy: null,
      })
    })
  }

  return {
    answer(request, response, app) {
      const [, prefix = '', id = ''] = hotPath.exec(request.url ?? '') ?? []
      const found = routeOf.get(prefix)
      // A traced request is traced through all of its handling.
      if (found === undefined || telemetry.traces !== null) return false
      const head = readPlainHead(request)
      if (head === null) return false
      if (shareHost?.isNamed(head.host) === true && !shareHost.answers(request)) return false
      const startedAt = performance.now()
      const requestId = acceptedId(head.requestId)
      const address = clientAddress(request.socket.remoteAddress, head.forwardedFor)
      const hot = { request, response, requestId, address }
      const begun = found.route.begin(id, hot)
      if (begun === null) return false
      void begun.then((end) => {
        if ('caller' in end) return finish(hot, found, startedAt, end.caller)
        // The app goes on under the same id.
        request.headers['x-request-id'] = requestId
        leaveBegun(response, { startedAt, ...end.left })
        app()
      })
      return true
    },
  }
}
