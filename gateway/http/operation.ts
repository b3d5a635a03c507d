import type { z } from 'zod'
import type { AccountHandler, Caller, KeyScope, PublicHandler, RequestContext } from './request-context.js'

/** One possible response of an operation, for the OpenAPI document. */
export interface ResponseDescription {
  readonly description: string
  readonly schema?: z.ZodType
  /** Default `application/json`. */
  readonly mediaType?: string
  /** Notable headers, by name. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The result of a fast read: a small cached JSON body. */
export interface FastResponse {
  readonly etag: string
  /** Only if it differs from that of private responses. */
  readonly cacheControl?: string
  /** One character per byte. */
  readonly body: string
}

/**
 * Reads what the last parameter of the path names, for the fast path. `null`, now or from the returned function,
 * leaves the request to `handle`.
 */
export type FastRead = (
  parameter: string,
) => ((context: RequestContext, caller: Caller | null) => Promise<FastResponse | null>) | null

interface OperationDescription {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** An OpenAPI path template such as `/api/snippets/{id}`. */
  readonly path: string
  readonly operationId: string
  readonly group: string
  readonly summary: string
  readonly description?: string
  readonly query?: z.ZodObject
  /** Notable request headers, by name. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  /** The fields of the JSON body; `withData` adds `data`, which stays bytes and is checked by the scanner. */
  readonly body?: { readonly fields: z.ZodObject; readonly withData: 'required' | 'optional' | 'none' }
  /** The parameters of a body that is a form, in place of JSON. */
  readonly form?: z.ZodObject
  /** The query of the same operation for a raw body, as text or as JSON. */
  readonly rawQuery?: z.ZodObject
  readonly responses: Readonly<Record<number, ResponseDescription>>
  /**
   * Statuses of its problems besides those of every operation; an operation without credentials that calls another
   * process adds 503 and 504.
   */
  readonly refusals: readonly number[]
  /** Whether any origin may read the response. */
  readonly anyOrigin?: boolean
  /**
   * How requests count for the rate limits: `creates` is strict for Free callers, `never` is not counted, `forgeries`
   * counts only requests with an invalid signature, and `guesses` counts like refused credentials. `exchanges` also counts
   * requests with a rejected token like those.
   */
  readonly rate?: 'creates' | 'never' | 'forgeries' | 'guesses' | 'exchanges'
  /** Whether an API key may also come as `Authorization: Bearer`, the one header that every MCP client can send. */
  readonly keyAsBearer?: boolean
  /** The scope that an API key needs for it, if not the one that the method suggests. */
  readonly scope?: KeyScope
  /** Whether an API key needs no scope for it, because each request that it causes checks its own. */
  readonly anyScope?: boolean
  /** Serves a plain GET from memory, without Express. */
  readonly fast?: FastRead
}

/** A route of the REST API, documentation and handler in one value. */
export type Operation = OperationDescription &
  (
    | { readonly access: 'public'; readonly handle: PublicHandler }
    /** Callers with an identity token or an API key. */
    | { readonly access: 'account'; readonly handle: AccountHandler }
    /** Callers with an identity token only. */
    | { readonly access: 'identity-token'; readonly handle: AccountHandler }
  )
