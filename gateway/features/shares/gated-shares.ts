import { DomainError } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import type { RevealShareResponse, Share } from '#proto/snipkeep/content/v1/share_service.js'
import { receiveFields } from '../../body/receive-body.js'
import { sendNotModified } from '../../http/conditional-read.js'
import { announcesBody } from '../../http/connections.js'
import { type RequestContext, shortCall } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { accessGrantOf, revealRequired } from './share-gate.js'
import { revealRequest } from './share-schemas.js'

/** A grant with the share it opens. */
export interface Revealed {
  readonly share: Share
  readonly grant: string
  readonly grantExpiresAt: Date
}

/** What someone who opens a share says. */
export interface RevealingReader {
  /** Empty for none. */
  readonly password: string
  /** Of the format of a grant, and the same when the request is repeated; empty for none. */
  readonly attempt: string
}

/** Reads shares that have a gate. None of these responses may be cached, and no read counts as a view. */
export interface GatedShares {
  /**
   * The share for its owner and for those with a grant; for others only its gate, with `open` false.
   * @throws DomainError `not_found`, `share_expired`, `share_used_up`.
   */
  find(
    context: RequestContext,
    id: string,
    accountId: string,
    includeData: boolean,
  ): Promise<{ readonly share: Share; readonly open: boolean }>
  /** The same for the caller of a public operation; `null` once it has sent 304. */
  view(context: RequestContext, id: string): Promise<{ readonly share: Share; readonly open: boolean } | null>
  /**
   * Counts a view, but none for an attempt whose grant is still valid: that returns this grant.
   * @throws DomainError as `find`, `share_password_invalid`, `rate_limited`, `unavailable`.
   */
  reveal(context: RequestContext, id: string, reader: RevealingReader): Promise<Revealed>
}

function revealedOf({ share, grant, grantExpiresAt }: RevealShareResponse): Revealed {
  if (share === undefined || grantExpiresAt === undefined) throw new Error('content returned no grant')
  return { share, grant, grantExpiresAt }
}

export function gatedShares({
  upstreams: { shares: client },
  callerIfAny,
}: Pick<FeatureDependencies, 'upstreams' | 'callerIfAny'>): GatedShares {
  const find: GatedShares['find'] = async (context, id, accountId, includeData) => {
    const request = { id, includeData, grant: accessGrantOf(context.request), accountId }
    const { share, open } = await callUnary(client, client.getGatedShare, request, shortCall(context))
    if (share === undefined) throw new Error('content returned no share')
    return { share, open }
  }
  return {
    find,
    async view(context, id) {
      context.response.setHeader('Cache-Control', 'no-store')
      const caller = await callerIfAny(context)
      const found = await find(context, id, caller?.accountId ?? '', true)
      // The tag tells the content apart, so it is only for those who may read it.
      return found.open && sendNotModified(context, { etag: found.share.etag }) ? null : found
    },
    async reveal(context, id, { password, attempt }) {
      const request = { id, password, attempt }
      return revealedOf(await callUnary(client, client.revealShare, request, shortCall(context)))
    },
  }
}

/** The password in the body of a reveal; empty for none. */
export async function receivedPassword(
  dependencies: Pick<FeatureDependencies, 'uploads'>,
  context: RequestContext,
): Promise<string> {
  if (!announcesBody(context.request)) return ''
  const { fields } = await receiveFields(dependencies, context, { fields: revealRequest, repeatable: false })
  return fields.password ?? ''
}

/** 409: a share without a gate needs no grant. */
export function notGated(): DomainError {
  const message = 'This share has no gate. Anyone may read it without a grant.'
  return new DomainError('conflict', 'share_not_gated', message)
}

/** The share, or the refusal of what is not just its gate. */
export function opened({ share, open }: { readonly share: Share; readonly open: boolean }): Share {
  if (!open) throw revealRequired()
  return share
}
