import type { z } from 'zod'
import type { AccountHandler, Caller, PublicHandler, RequestContext } from './request-context.js'

/** One possible response of an operation, for the OpenAPI document. */
export interface ResponseDescription {
  readonly description: string
  readonly schema?: z.ZodType
  /** Default `application/json`. */
  readonly mediaType?: string
  /** Headers worth knowing, by name. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What a fast read sends: a small JSON body as it is remembered. */
export interface FastResponse {
  readonly etag: string
  /** Only where it differs from that of private responses. */
  readonly cacheControl?: string
  /** A character for each of its bytes. */
  readonly body: string
}

/**
 * Reads what the last parameter of the path names, for the fast path. `null`, now or from the function returned, leaves
 * the request to `handle`.
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
  /** Request headers worth knowing, by name. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  /** The fields of the JSON body; `withData` adds `data`, which travels as bytes and is checked by the scanner. */
  readonly body?: { readonly fields: z.ZodObject; readonly withData: 'required' | 'optional' | 'none' }
  /** The query of the same operation where the body is the content itself, as text or as JSON. */
  readonly rawQuery?: z.ZodObject
  readonly responses: Readonly<Record<number, ResponseDescription>>
  /**
   * Statuses of its problems beside those that every operation may give; without credentials also 503 and 504, if it
   * asks another process.
   */
  readonly refusals: readonly number[]
  /** Whether any origin may read the response. */
  readonly anyOrigin?: boolean
  /**
   * How requests count for the rate limits: `creates` is strict for Free callers, `never` counts for nothing, and of
   * `forgeries` only those count whose signature is refused.
   */
  readonly rate?: 'creates' | 'never' | 'forgeries'
  /** Whether an API key may also come as `Authorization: Bearer`, the one header that every MCP client can send. */
  readonly keyAsBearer?: boolean
  /** Whether an API key needs no scope for it, because each request that it leads to checks its own. */
  readonly anyScope?: boolean
  /** Answers a plain GET from what is at hand, without Express. */
  readonly fast?: FastRead
}

/** A route of the REST interface: how it is documented and how it is handled, in one value. */
export type Operation = OperationDescription &
  (
    | { readonly access: 'public'; readonly handle: PublicHandler }
    /** Callers with an identity token or an API key. */
    | { readonly access: 'account'; readonly handle: AccountHandler }
    /** Callers with an identity token alone. */
    | { readonly access: 'identity-token'; readonly handle: AccountHandler }
  )
