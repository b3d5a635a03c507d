import type { CallContext } from '#libs/grpc/call.js'
import type { RequestContext } from './request-context.js'

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
