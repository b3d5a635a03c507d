import { type CallContext, callUnary } from '#libs/grpc/call.js'
import { cursorOf } from '#libs/paging/list-position.js'
import type { Act } from '#proto/snipkeep/operator/v1/operator.js'
import type { ListActsRequest, ListActsResponse } from '#shared/operator/act-messages.js'
import type { Upstreams } from '../../upstreams.js'

/** Newest first; the order of all services' lists. */
function newestFirst(one: Act, other: Act): number {
  const difference = Number(other.createdAt) - Number(one.createdAt)
  return difference === 0 ? (one.id < other.id ? 1 : -1) : difference
}

/** The first `itemsMax` of several lists in one, and where the rest begins. */
export function mergeActs(lists: readonly ListActsResponse[], itemsMax: number): ListActsResponse {
  const found = lists.flatMap(({ acts }) => acts).sort(newestFirst)
  const acts = found.slice(0, itemsMax)
  const last = acts.at(-1)
  const more = found.length > acts.length || lists.some(({ nextCursor }) => nextCursor !== '')
  if (!more || last?.createdAt === undefined) return { acts, nextCursor: '' }
  return { acts, nextCursor: cursorOf({ createdAt: last.createdAt, id: last.id }) }
}

/**
 * A page of what operators did: each service records what it changed, so the page is merged from all of them.
 * @throws DomainError `unavailable` unless all of them respond: a record with gaps would mislead.
 */
export async function listActs(
  { accounts, shares, payments }: Upstreams['operators'],
  request: ListActsRequest,
  context: CallContext,
  hasPayments: boolean,
): Promise<ListActsResponse> {
  const lists = await Promise.all([
    callUnary(accounts, accounts.listActs, request, context),
    callUnary(shares, shares.listActs, request, context),
    ...(hasPayments ? [callUnary(payments, payments.listActs, request, context)] : []),
  ])
  return mergeActs(lists, request.pageSize)
}
