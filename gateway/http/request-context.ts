import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallContext } from '#libs/grpc/call.js'
import type { PlanName } from '#shared/core/plan.js'
import type { CountedRequest } from '../rate-limits/sliding-window.js'
import { notFound } from './problem.js'

/** One request and its response in the gateway, and the results of the pipeline's stages. */
export interface RequestContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** The subject of rate limits per client IP. */
  readonly clientAddress: string
  /** From `performance.now`. */
  readonly startedAt: number
  /** Aborted if the caller goes away before the response is complete. */
  readonly signal: AbortSignal
  /** The query string. */
  readonly search: URLSearchParams
  /** The path's parameters, decoded. */
  params: Readonly<Record<string, string>>
  /** The template of the path; `none` until a route matches. */
  route: string
  /** The code of the problem in its response. */
  code: string | undefined
  /** The caller, once authenticated. */
  caller: Caller | null
  /** The state of the rate limit that counted it; `null` if none did. */
  counted: CountedRequest | null
  /** The started stages of `pipeline/admit.ts`: none runs twice. */
  readonly stages: { identified: Promise<Caller> | null; limited: Promise<void> | null }
  /** The error of the fast path; the app turns it into a problem. */
  failure: unknown
}

/** Aborted if the caller goes away before its response is complete. */
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

/** The context of the request of this response; `undefined` before there is one. */
export function contextOf(
  response: ServerResponse & { readonly locals?: Locals },
): RequestContext | undefined {
  return response.locals?.context
}

class NewRequestContext implements RequestContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly clientAddress: string
  readonly startedAt = performance.now()
  params: Readonly<Record<string, string>> = {}
  route = 'none'
  code: string | undefined = undefined
  caller: Caller | null = null
  counted: CountedRequest | null = null
  readonly stages: RequestContext['stages'] = { identified: null, limited: null }
  failure: unknown = null
  private ownSignal: AbortSignal | null = null
  private ownSearch: URLSearchParams | null = null
  /** Kept, because Express shortens `request.url` while it routes. */
  private readonly url: string | undefined

  constructor(request: IncomingMessage, response: ServerResponse, requestId: string, clientAddress: string) {
    this.request = request
    this.response = response
    this.requestId = requestId
    this.clientAddress = clientAddress
    this.url = request.url
  }

  get signal(): AbortSignal {
    this.ownSignal ??= abortedWith(this.response)
    return this.ownSignal
  }

  get search(): URLSearchParams {
    this.ownSearch ??= searchOf(this.url)
    return this.ownSearch
  }
}

/** Creates the context of a request. */
export function createRequestContext(
  request: IncomingMessage,
  response: ServerResponse & { locals?: Locals },
  requestId: string,
  clientAddress: string,
): RequestContext {
  const context = new NewRequestContext(request, response, requestId, clientAddress)
  // Express keeps existing `locals`.
  if (response.locals === undefined) response.locals = { context }
  else response.locals.context = context
  return context
}

/** What an API key may be used for. */
export type KeyScope = 'read' | 'write'

/** The credential of a caller. */
export type ProvenBy =
  | { readonly kind: 'identity-token' }
  | {
      readonly kind: 'api-key'
      readonly id: string
      /** Absent or empty when identity is of the release before. */
      readonly name?: string
      /** Which of the key's secrets was sent; 0 when identity is of the release before and does not tell. */
      readonly secret: number
      readonly scopes: readonly KeyScope[]
    }
  /** With a token that a CI job was given under this rule. */
  | {
      readonly kind: 'trusted-publisher'
      readonly id: string
      /** Absent or empty when identity is of the release before. */
      readonly name?: string
      readonly scopes: readonly KeyScope[]
    }

/** The caller of a request, as identity currently knows them. */
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
  /**
   * Why the caller may do nothing at the moment, if so: an operator suspended the account, or the key's owner has not
   * signed in recently.
   */
  readonly outOfUse?: 'suspended' | 'idle'
}

/** Handles one operation; an error that it throws becomes a problem. */
export type PublicHandler = (context: RequestContext) => Promise<void>
/** The same with a known caller. */
export type AccountHandler = (context: RequestContext, caller: Caller) => Promise<void>

const acceptable = /^[A-Za-z0-9._-]{1,128}$/

/** This id if it is 1 to 128 characters of `[A-Za-z0-9._-]`, else a new one. */
export function acceptedId(given: string | undefined): string {
  return given !== undefined && acceptable.test(given) ? given : randomUUID()
}

/** The caller's own `X-Request-Id` if it is 1 to 128 characters of `[A-Za-z0-9._-]`, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return acceptedId(typeof given === 'string' ? given : undefined)
}

/** Whether a text has the form of an id. */
export function isId(text: string | undefined): text is string {
  return text !== undefined && /^[0-9A-Za-z]{22}$/.test(text)
}

/** Whether a text is `@` and the name of a snippet. */
export function isNameReference(text: string | undefined): text is string {
  return text !== undefined && /^@[a-z0-9][a-z0-9._-]{0,99}$/.test(text)
}

/**
 * The id in the path.
 * @param what the subject of the error message: `This snippet`.
 * @throws DomainError `not_found` if it cannot be an id.
 */
export function idInPath({ params: { id } }: Pick<RequestContext, 'params'>, what: string): string {
  if (!isId(id)) throw notFound(what)
  return id
}

/**
 * The snippet in the path, by id or by `@` and its name.
 * @throws DomainError `not_found` if it can be neither.
 */
export function snippetInPath({ params: { id } }: Pick<RequestContext, 'params'>): string {
  if (!isId(id) && !isNameReference(id)) throw notFound('This snippet')
  return id
}

/** The deadline of calls behind the gateway, in milliseconds. */
const requestBudgetMs = 10_000
/** The same for the bytes of a document: slow readers and writers are cut off by other means long before. */
const documentBudgetMs = 900_000

/**
 * The context of a short call for this request. The call continues even if the caller goes away: its effect may
 * already have happened, and many callers leaving at once must not become a burst of resets.
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
  return new LongCall(context, timeoutMs)
}

class LongCall implements CallContext {
  readonly requestId: string
  readonly timeoutMs: number
  private readonly context: Pick<RequestContext, 'signal'>

  constructor(context: Pick<RequestContext, 'requestId' | 'signal'>, timeoutMs: number) {
    this.requestId = context.requestId
    this.timeoutMs = timeoutMs
    this.context = context
  }

  /** Created on demand: most data is in the message, and then no one needs it. */
  get signal(): AbortSignal {
    return this.context.signal
  }
}
