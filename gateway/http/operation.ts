import type { z } from 'zod'
import type { KeyScope } from '../request/key-scopes.js'
import type { AccountHandler, Caller, PublicHandler, RequestContext } from '../request/request-context.js'

/** One possible response of an operation, for the OpenAPI document. */
export interface ResponseDescription {
  readonly description: string
  /** Of `application/json`. */
  readonly schema?: z.ZodType
  /** Other media types; `null` for any content. Without one and without `schema`, the body is empty. */
  readonly content?: Readonly<Record<string, z.ZodType | null>>
  /** Descriptions of notable headers, by name. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A small cached JSON response. */
export interface FastResponse {
  readonly etag: string
  /** Of what never changes. */
  readonly lastModified?: string
  /** If it differs from that of private responses. */
  readonly cacheControl?: string
  /** One character per byte. */
  readonly body: string
}

/**
 * Reads the resource named by the last parameter of the path. `null`, now or from the returned function, leaves the
 * request to `handle`.
 */
export type FastRead = (
  parameter: string,
) => ((context: RequestContext, caller: Caller | null) => Promise<FastResponse | null>) | null

/** A path that ends with its only parameter. */
export interface FastRoute {
  /** The path before the parameter. */
  readonly prefix: string
  /** The path template, for the log and the metrics. */
  readonly route: string
  /**
   * `null`, or false from the returned function, leaves the request to the app.
   * @throws any error; the app responds with it.
   */
  read(parameter: string): ((context: RequestContext) => Promise<boolean>) | null
}

interface OperationDescription {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** An OpenAPI path template such as `/api/snippets/{id}`. */
  readonly path: string
  readonly operationId: string
  readonly group: string
  readonly summary: string
  readonly description?: string
  readonly query?: z.ZodObject
  /**
   * Accepts parameters that `query` does not declare: a page, whose links collect some on their way; an address that
   * others complete; or a handler that knows more of them.
   */
  readonly anyParameter?: true
  /** Descriptions of notable request headers, by name. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  /** The JSON body; `withData` adds `data`, which stays bytes and is checked by the scanner instead of a schema. */
  readonly body?: { readonly fields: z.ZodObject; readonly withData: 'required' | 'optional' | 'none' }
  /** The parameters of a form, in place of a JSON body, or in addition to it. */
  readonly form?: z.ZodObject
  /** The query of the same operation if its body is a raw upload, as text or JSON. */
  readonly rawQuery?: z.ZodObject
  /** Further arguments of curl in its example, in place of those that follow from `body`; `null` leaves the example out. */
  readonly curl?: readonly string[] | null
  readonly responses: Readonly<Record<number, ResponseDescription>>
  /**
   * Statuses of its problems in addition to those of every operation. A public operation that calls a service also
   * lists 503 and 504.
   */
  readonly refusals: readonly number[]
  /** Whether any origin may read the response. */
  readonly anyOrigin?: boolean
  /**
   * How requests count towards the rate limits. `creates`: strict for Free callers. `never`: not at all. `forgeries`:
   * only those with an invalid signature. `guesses`: like rejected credentials. `exchanges`: as usual, and once more
   * like rejected credentials if the token or password is rejected. `reports`: by the handler, strictly.
   */
  readonly rate?: 'creates' | 'never' | 'forgeries' | 'guesses' | 'exchanges' | 'reports'
  /** Whether an API key may also be sent as `Authorization: Bearer`, the one header that every MCP client supports. */
  readonly keyAsBearer?: boolean
  /** The scope that an API key needs, if not `read` for a GET and `write` otherwise; CI jobs never have `approve`. */
  readonly scope?: KeyScope
  /** Whether an API key needs no scope, because each request it triggers checks its own. */
  readonly anyScope?: boolean
  /** Whether it is allowed while the caller's account is closing. */
  readonly whileClosing?: boolean
  /** Serves a plain GET without Express. */
  readonly fast?: FastRead
}

/** A route of the REST API: its description and its handler. */
export type Operation = OperationDescription &
  (
    | { readonly access: 'public'; readonly handle: PublicHandler }
    /** Callers with an identity token or an API key. */
    | { readonly access: 'account'; readonly handle: AccountHandler }
    /** Callers with an identity token only. */
    | { readonly access: 'identity-token'; readonly handle: AccountHandler }
    /** Operators of this installation, with an identity token only; for everyone else it does not exist. */
    | { readonly access: 'operator'; readonly handle: AccountHandler }
  )
