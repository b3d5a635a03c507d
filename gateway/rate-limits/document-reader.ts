import type { Caller, RequestContext } from '../http/request-context.js'

/** The subject of the limits on large documents. */
export interface DocumentReader {
  /** The account, or the client IP of an anonymous reader. */
  readonly subject: string
  readonly anonymous: boolean
}

/** The reader of a public share. */
export function anonymousReader({ clientAddress }: Pick<RequestContext, 'clientAddress'>): DocumentReader {
  return { subject: clientAddress, anonymous: true }
}

/** A caller who reads their own data. */
export function accountReader({ accountId }: Pick<Caller, 'accountId'>): DocumentReader {
  return { subject: accountId, anonymous: false }
}
