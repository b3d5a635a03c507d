import type { Caller, RequestContext } from '../http/request-context.js'

/** Who reads a document: the limits on large documents hold for each of them. */
export interface DocumentReader {
  /** The client IP of someone without credentials, else the account. */
  readonly subject: string
  readonly anonymous: boolean
}

/** The reader of a public share. */
export function anonymousReader({ clientAddress }: Pick<RequestContext, 'clientAddress'>): DocumentReader {
  return { subject: clientAddress, anonymous: true }
}

/** A caller who reads what is theirs. */
export function accountReader({ accountId }: Pick<Caller, 'accountId'>): DocumentReader {
  return { subject: accountId, anonymous: false }
}
