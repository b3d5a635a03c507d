import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallContext } from '#libs/grpc/call.js'
import type { Principal } from '#proto/snipkeep/content/v1/snippet_service.js'
import type { PlanName } from '#shared/core/plan.js'
import { isShareId } from '#shared/core/share-id.js'
import type { CountedRequest } from './counted-request.js'
import type { KeyScope } from './key-scopes.js'
import { notFound } from './problem.js'

/** A request, its response, and the results of the pipeline stages. */
export interface RequestContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** The client IP, as rate limits count it. */
  readonly clientAddress: string
  /** From `performance.now`. */
  readonly startedAt: number
  /** Aborted if the caller goes away before the response is complete. */
  readonly signal: AbortSignal
  readonly search: URLSearchParams
  /** The path's parameters, decoded. */
  params: Readonly<Record<string, string>>
  /** The path template; `none` until a route matches. */
  route: string
  /** The error code of the response, if it is a problem. */
  code: string | undefined
  /** Set once authenticated. */
  caller: Caller | null
  /** The state of the rate limit; `null` if the request counts towards none. */
  counted: CountedRequest | null
  /** The stages of `pipeline/admit.ts` that have started; none runs twice. */
  readonly stages: { identified: Promise<Caller> | null; limited: Promise<void> | null }
  /** The error of the fast path; the app turns it into a problem. */
  failure: unknown
}

/** The caller disconnected, so no one is left to respond to. */
export class RequestAborted extends Error {
  constructor() {
    super('the caller went away before its request got a response')
    this.name = 'RequestAborted'
  }
}

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

/** `undefined` before `createRequestContext`. */
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

/** Creates the context and attaches it to the response, for `contextOf`. */
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

/** The credential that authenticated a caller. */
export type ProvenBy =
  | { readonly kind: 'identity-token' }
  | {
      readonly kind: 'api-key'
      readonly id: string
      readonly name?: string
      /** The number of the key's secret that was sent. */
      readonly secret: number
      readonly scopes: readonly KeyScope[]
    }
  /** An access token that a CI job got under this rule. */
  | {
      readonly kind: 'trusted-publisher'
      readonly id: string
      readonly name?: string
      readonly scopes: readonly KeyScope[]
    }

/** The caller of a request, with the account's current state. */
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
  /** Whether the token is that of an operator of this installation. */
  readonly isOperator?: boolean
  /**
   * Why the credential cannot be used now: an operator suspended the account, or the key's owner has not signed in
   * recently, or closed the account.
   */
  readonly outOfUse?: 'suspended' | 'idle' | 'closing'
  /** When a closing account is erased. */
  readonly erasedAfter?: Date
  /** When the holder of the token signed in, if the token says so. */
  readonly authenticatedAt?: Date
}

const principalKinds = {
  'identity-token': 'owner',
  'api-key': 'api_key',
  'trusted-publisher': 'ci_job',
} as const satisfies Record<ProvenBy['kind'], string>

/** The author of a snippet version, as content stores it. */
export function principalOf({ provenBy }: Pick<Caller, 'provenBy'>): Principal {
  const kind = principalKinds[provenBy.kind]
  if (provenBy.kind === 'identity-token') return { kind, id: '', label: '' }
  return { kind, id: provenBy.id, label: provenBy.name ?? '' }
}

/** Whether a caller may change what a contract guards. */
export function mayApprove({ provenBy }: Pick<Caller, 'provenBy'>): boolean {
  if (provenBy.kind === 'api-key') return provenBy.scopes.includes('approve')
  return provenBy.kind === 'identity-token'
}

/** Handles an operation; an error it throws becomes a problem. */
export type PublicHandler = (context: RequestContext) => Promise<void>
/** The same, with an authenticated caller. */
export type AccountHandler = (context: RequestContext, caller: Caller) => Promise<void>

export function isId(text: string | undefined): text is string {
  return text !== undefined && /^[0-9A-Za-z]{22}$/.test(text)
}

/**
 * The id of a share in the path.
 * @throws DomainError `not_found` if it has none of the right form.
 */
export function shareInPath({ params: { id } }: Pick<RequestContext, 'params'>): string {
  if (!isShareId(id)) throw notFound('This share')
  return id
}

/** Whether a text is `@` and a valid name of a snippet. */
export function isNameReference(text: string | undefined): text is string {
  return text !== undefined && /^@[a-z0-9][a-z0-9._-]{0,99}$/.test(text)
}

/**
 * @param what the subject of the error message: `This snippet`.
 * @throws DomainError `not_found` if the path has no valid id.
 */
export function idInPath({ params: { id } }: Pick<RequestContext, 'params'>, what: string): string {
  if (!isId(id)) throw notFound(what)
  return id
}

/**
 * The id of a snippet, or `@` and its name.
 * @throws DomainError `not_found` if the path has neither.
 */
export function snippetInPath({ params: { id } }: Pick<RequestContext, 'params'>): string {
  if (!isId(id) && !isNameReference(id)) throw notFound('This snippet')
  return id
}

const shortTimeoutMs = 10_000
/** Long enough for any call that succeeds, and short enough for the caller of a request to wait for it. */
const sideTimeoutMs = 3_000
/** For calls that stream a document; other limits disconnect slow readers and writers long before. */
const documentTimeoutMs = 900_000
/** For a document that this process searches: no client slows it down. */
const searchTimeoutMs = 30_000

/**
 * The context of a short call for this request. The call continues even if the caller disconnects: its effect may have
 * happened already, and many disconnects at once must not become a burst of stream resets.
 */
export function shortCall(context: Pick<RequestContext, 'requestId'>): CallContext {
  return { requestId: context.requestId, timeoutMs: shortTimeoutMs }
}

/** The context of a short call that the response can do without: if its service hangs, the response still comes in time. */
export function sideCall(context: Pick<RequestContext, 'requestId'>): CallContext {
  return { requestId: context.requestId, timeoutMs: sideTimeoutMs }
}

/** The context of a call that streams a document; aborted if the caller disconnects. */
export function documentCall(context: Pick<RequestContext, 'requestId' | 'signal'>): CallContext {
  return new LongCall(context, documentTimeoutMs)
}

/** The same, for a document that is searched here. */
export function searchCall(context: Pick<RequestContext, 'requestId' | 'signal'>): CallContext {
  return new LongCall(context, searchTimeoutMs)
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

  /** Created on demand: small data comes within the message, and then no call needs it. */
  get signal(): AbortSignal {
    return this.context.signal
  }
}
