import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PlanName } from '#shared/core/plan.js'
import type { Place } from '../rate-limits/rate-limited.js'

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
  /** The code of the problem that it was answered with. */
  code: string | undefined
  /** Whom it came from, as soon as they are known. */
  caller: Caller | null
  /** How far the limit that it counted for is used up; `null` where nothing is limited. */
  place: Place | null
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
    place: null,
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
