import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallContext } from '#libs/grpc/call.js'
import type { PlanName } from '#shared/core/plan.js'
import type { CountedRequest } from '../rate-limits/sliding-window.js'

/** One request and its response on the way through the gateway, and what the stages of the pipeline found out about it. */
export interface RequestContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** Whom the limits per client address count it for. */
  readonly clientAddress: string
  /** As `performance.now`. */
  readonly startedAt: number
  /** Aborted when the caller goes away before the response is complete. */
  readonly signal: AbortSignal
  /** What stands behind the `?`. */
  readonly search: URLSearchParams
  /** The path's parameters, decoded. */
  params: Readonly<Record<string, string>>
  /** The template of the path; `none` until one is found. */
  route: string
  /** The code of the problem in its response. */
  code: string | undefined
  /** Whom it came from, as soon as they are known. */
  caller: Caller | null
  /** How far the limit that it counted for is used up; `null` where nothing is limited. */
  counted: CountedRequest | null
  /** The stages of `pipeline/admit.ts`, once they have begun: none runs twice. */
  readonly stages: { identified: Promise<Caller> | null; limited: Promise<void> | null }
  /** Why the fast path has no response; the app turns it into a problem. */
  failure: unknown
}

/** Aborted when the caller goes away before its response is complete. */
function abortedWith(response: ServerResponse): AbortSignal {
  const abort = new AbortController()
  if (response.closed && !response.writableFinished) abort.abort()
  response.once('close', () => {
    if (!response.writableFinished) abort.abort()
  })
  return abort.signal
}

function searchOf(url = ''): URLSearchParams {
  const query = url.indexOf('?')
  return new URLSearchParams(query === -1 ? '' : url.slice(query + 1))
}

type Locals = { context?: RequestContext }

/** The context of a request whose response this is; `undefined` until there is one. */
export function contextOf(
  response: ServerResponse & { readonly locals?: Locals },
): RequestContext | undefined {
  return response.locals?.context
}

/** Begins the way of a request through the gateway. */
export function createRequestContext(
  request: IncomingMessage,
  response: ServerResponse & { locals?: Locals },
  requestId: string,
  clientAddress: string,
): RequestContext {
  const { url } = request
  let signal: AbortSignal | undefined
  let search: URLSearchParams | undefined
  const context: RequestContext = {
    request,
    response,
    requestId,
    clientAddress,
    startedAt: performance.now(),
    get signal() {
      signal ??= abortedWith(response)
      return signal
    },
    get search() {
      search ??= searchOf(url)
      return search
    },
    params: {},
    route: 'none',
    code: undefined,
    caller: null,
    counted: null,
    stages: { identified: null, limited: null },
    failure: null,
  }
  // Express keeps `locals` that it finds.
  if (response.locals === undefined) response.locals = { context }
  else response.locals.context = context
  return context
}

/** What an API key may be used for. */
export type KeyScope = 'read' | 'write'

/** What a caller proved who it is with. */
export type ProvenBy =
  | { readonly kind: 'identity-token' }
  | { readonly kind: 'api-key'; readonly id: string; readonly scopes: readonly KeyScope[] }

/** Who sent a request, as identity knows them now. */
export interface Caller {
  readonly accountId: string
  readonly provenBy: ProvenBy
  readonly plan: PlanName
  /** Grows with every change of the plan. */
  readonly planVersion: number
  readonly email: string | null
  readonly emailVerified: boolean
  readonly name: string | null
  readonly picture: string | null
  readonly createdAt: Date
  /** Why it may do nothing at the moment, if so: an operator suspended the account, or the key's owner stayed away. */
  readonly outOfUse?: 'suspended' | 'asleep'
}

/** The handling of one operation; an error that it throws becomes a problem. */
export type PublicHandler = (context: RequestContext) => Promise<void>
/** The same where the caller is known. */
export type AccountHandler = (context: RequestContext, caller: Caller) => Promise<void>

const acceptable = /^[A-Za-z0-9._-]{1,128}$/

/** This id where it is 1 to 128 characters of `[A-Za-z0-9._-]`, else a new one. */
export function acceptedId(given: string | undefined): string {
  return given !== undefined && acceptable.test(given) ? given : randomUUID()
}

/** The caller's own `X-Request-Id` where it is 1 to 128 characters of `[A-Za-z0-9._-]`, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return acceptedId(typeof given === 'string' ? given : undefined)
}

/** What a request may cost behind the gateway, in milliseconds. */
const requestBudgetMs = 10_000
/** The same for the bytes of a document: a slow reader or writer is cut off by other means long before. */
const documentBudgetMs = 900_000

/**
 * The context of a short call made for this request. It is let through to its end even when the caller goes away: what
 * the caller might have seen is what happened, and a crowd that leaves at once does not become a burst of resets.
 */
export function shortCall(context: Pick<RequestContext, 'requestId'>): CallContext {
  return { requestId: context.requestId, timeoutMs: requestBudgetMs }
}

/** The same for a document that this process searches, as fast as it comes. */
const searchBudgetMs = 30_000

/** The context of a call that carries a document. */
export function documentCall(context: Pick<RequestContext, 'requestId' | 'signal'>): CallContext {
  return longCall(context, documentBudgetMs)
}

/** The context of a call for a document that is searched here. */
export function searchCall(context: Pick<RequestContext, 'requestId' | 'signal'>): CallContext {
  return longCall(context, searchBudgetMs)
}

function longCall(context: Pick<RequestContext, 'requestId' | 'signal'>, timeoutMs: number): CallContext {
  return {
    requestId: context.requestId,
    timeoutMs,
    // Made only for who asks: most data is in the message, and nobody follows its reader.
    get signal() {
      return context.signal
    },
  }
}
