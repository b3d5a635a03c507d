import { enumName, invalidField } from '#libs/core/domain-error.js'
import type { CallersOf } from '#libs/grpc/allowed-callers.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import { cursorOf, itemsMax, positionOf } from '#libs/paging/list-position.js'
import {
  type CreateShareRequest,
  type CreateShareResponse,
  type GetShareRequest,
  type GetShareResponse,
  type ShareServiceServer,
  ShareServiceService,
  ShareState as ShareStateMessage,
} from '#proto/snipkeep/content/v1/share_service.js'
import { givenIdempotencyKey } from '#shared/core/idempotency-key.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { createShare } from '../application/create-share.js'
import { deleteShare } from '../application/delete-share.js'
import { getGatedShare, getShare } from '../application/read-share.js'
import { recordShareViews } from '../application/record-share-views.js'
import { revealShare } from '../application/reveal-share.js'
import type { ShareState } from '../domain/share.js'
import type { WantedExpiry } from '../domain/share-expiry.js'
import type { WantedGate } from '../domain/share-gate.js'
import { checkFields } from '../domain/snippet.js'
import type { ContentPorts } from '../ports.js'
import {
  gatedShareMessage,
  listedShare,
  ownerOf,
  principalOf,
  requesterOf,
  requiredData,
  shareMessage,
  shareOf,
} from './grpc-messages.js'

function wantedExpiry(expiry: CreateShareRequest['expiry']): WantedExpiry {
  switch (expiry?.$case) {
    case undefined:
      return { kind: 'default' }
    case 'expiresInSeconds':
      return { kind: 'in', seconds: expiry.value }
    case 'expiresAt':
      return { kind: 'at', moment: expiry.value }
    default:
      return expiry satisfies undefined
  }
}

const shareState = enumName<ShareState>(
  {
    [ShareStateMessage.SHARE_STATE_LIVE]: 'live',
    [ShareStateMessage.SHARE_STATE_EXPIRED]: 'expired',
    [ShareStateMessage.SHARE_STATE_ALL]: 'all',
  },
  '/state',
  'required',
  'state must be live, expired or all.',
)

/** More would not fit into an event. */
const rulesMax = 20
const rulePattern = /^[a-z0-9-]{1,64}$/

function checkedRules(rules: readonly string[]): readonly string[] {
  if (rules.length <= rulesMax && rules.every((rule) => rulePattern.test(rule))) return rules
  const detail = `allowed_secrets must be at most ${rulesMax} names of rules.`
  throw invalidField('/allowed_secrets', 'invalid', detail)
}

const callers: CallersOf<typeof ShareServiceService> = {
  each: ['gateway'],
  getShare: ['gateway', 'web'],
  getGatedShare: ['gateway', 'web'],
}

/** `ShareService` over gRPC. */
export function grpcShares(
  { unary }: Pick<Handlers, 'unary'>,
  ports: ContentPorts,
  plans: PlanCatalogue,
): BoundService {
  const read = async ({ id, includeData }: GetShareRequest): Promise<GetShareResponse> => {
    const { record, data, timeLeftMs } = await getShare(ports, shareOf(id), includeData)
    return { share: shareMessage(record, data), timeLeftMs: timeLeftMs ?? undefined }
  }
  const create = async (
    request: CreateShareRequest,
    gate: WantedGate | null,
  ): Promise<CreateShareResponse> => {
    const { result, replayed } = await createShare(ports, {
      ...requesterOf(request, plans),
      principal: principalOf(request.principal),
      tool: request.tool,
      title: request.title,
      data: requiredData(request.data),
      expiry: wantedExpiry(request.expiry),
      idempotencyKey: givenIdempotencyKey(request.idempotencyKey),
      titleIsGenerated: request.titleIsGenerated,
      allowedSecrets: checkedRules(request.allowedSecrets),
      gate,
    })
    return { share: shareMessage(result), replayed }
  }
  const handlers: ShareServiceServer = {
    createShare: unary((request) => create(request, null)),
    createGatedShare: unary(async ({ share, password, viewsMax = null }) => {
      const gate = { password: password === '' ? null : password, viewsMax }
      if (share !== undefined && (gate.password !== null || viewsMax !== null)) return create(share, gate)
      throw invalidField('/password', 'required', 'Set a password or a view limit.')
    }),
    getGatedShare: unary(async ({ id, includeData, grant, accountId }) => {
      const reader = { grant, accountId: accountId === '' ? null : ownerOf(accountId) }
      const { record, data, access, timeLeftMs } = await getGatedShare(
        ports,
        shareOf(id),
        reader,
        includeData,
      )
      const share =
        access === null ? gatedShareMessage(record) : shareMessage(record, data, access === 'owner')
      return { share, open: access !== null, timeLeftMs: timeLeftMs ?? undefined }
    }),
    revealShare: unary(async ({ id, password, attempt }) => {
      const { share, grant, expiresAt } = await revealShare(ports, shareOf(id), { password, attempt })
      return { share: shareMessage(share), grant, grantExpiresAt: expiresAt }
    }),
    getShare: unary(read),
    batchGetShares: unary(async ({ requests, requestIds }, context) => {
      // The store finds those of one moment by one statement.
      const results = await Promise.allSettled(requests.map(read))
      return {
        results: results.map((one, index) => {
          if (one.status === 'fulfilled') return { result: { $case: 'found', value: one.value } }
          const failure = context.failureOf(one.reason, requestIds[index] ?? '')
          return { result: { $case: 'failure', value: failure } }
        }),
      }
    }),
    listShares: unary(async (request) => {
      const tool = request.tool === '' ? null : request.tool
      checkFields({ tool: tool ?? undefined })
      const { items, next } = await ports.shares.list({
        ownerId: ownerOf(request.ownerId),
        tool,
        state: shareState(request.state),
        after: positionOf(request.cursor),
        itemsMax: itemsMax(request.pageSize),
      })
      return { shares: items.map(listedShare), nextCursor: cursorOf(next) }
    }),
    deleteShare: unary(async (request) => {
      await deleteShare(ports, ownerOf(request.ownerId), shareOf(request.id), request.ifMatch)
      return {}
    }),
    recordShareViews: unary(async ({ shares }) => {
      await recordShareViews(
        ports,
        shares.map(({ id, views }) => ({ id: shareOf(id), views })),
      )
      return {}
    }),
  }
  return { definition: ShareServiceService, handlers, callers }
}
