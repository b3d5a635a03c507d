import { enumName, invalidField } from '#libs/core/domain-error.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import { cursorOf, itemsMax, positionOf } from '#libs/paging/list-position.js'
import {
  Accept as AcceptMessage,
  type Check as CheckMessage,
  type CheckServiceServer,
  CheckServiceService,
  CheckState as CheckStateMessage,
  type Judgement as JudgementMessage,
  Verdict as VerdictMessage,
} from '#proto/snipkeep/content/v1/check_service.js'
import { givenIdempotencyKey } from '#shared/core/idempotency-key.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { createCheck, decideCheck, getBaseline, getCheck, listChecks } from '../application/checks.js'
import {
  type Accept,
  type Check,
  type CheckState,
  type CheckTarget,
  checkEtag,
  checkNotFound,
  endOf,
  type JudgedAs,
  type Judgement,
  type Verdict,
} from '../domain/check.js'
import { type CheckId, checkId, isId, snippetId } from '../domain/ids.js'
import { namePattern } from '../domain/snippet.js'
import type { DataContent } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'
import {
  dataMessage,
  listedSnippet,
  ownerOf,
  principalMessage,
  principalOf,
  requesterOf,
  requiredData,
  snippetOf,
} from './grpc-messages.js'

const verdicts: Readonly<Record<Verdict, VerdictMessage>> = {
  same: VerdictMessage.VERDICT_SAME,
  allowed: VerdictMessage.VERDICT_ALLOWED,
  breaks: VerdictMessage.VERDICT_BREAKS,
  new: VerdictMessage.VERDICT_NEW,
}
const states: Readonly<Record<CheckState, CheckStateMessage>> = {
  pending: CheckStateMessage.CHECK_STATE_PENDING,
  accepted: CheckStateMessage.CHECK_STATE_ACCEPTED,
  approved: CheckStateMessage.CHECK_STATE_APPROVED,
  rejected: CheckStateMessage.CHECK_STATE_REJECTED,
  expired: CheckStateMessage.CHECK_STATE_EXPIRED,
}
const accepts: Readonly<Record<number, Accept>> = {
  [AcceptMessage.ACCEPT_UNSPECIFIED]: 'same',
  [AcceptMessage.ACCEPT_SAME]: 'same',
  [AcceptMessage.ACCEPT_ALLOWED]: 'allowed',
  [AcceptMessage.ACCEPT_NEVER]: 'never',
}
const formats: readonly JudgedAs[] = ['json', 'ndjson', 'csv', 'text']

function inverse<Name extends string>(numbers: Readonly<Record<Name, number>>) {
  const entries = Object.entries<number>(numbers)
  return Object.fromEntries(entries.map(([name, number]) => [number, name as Name]))
}

const verdictOf = enumName(inverse(verdicts), '/judgement/verdict', 'invalid', 'verdict must have a value.')
const acceptOf = enumName(accepts, '/accept', 'invalid', 'accept must be same, allowed or never.')
const stateOf = enumName(inverse(states), '/state', 'invalid', 'state must be one that a check can have.')

/**
 * The check in a message.
 * @throws DomainError `not_found` for an invalid id.
 */
function checkOf(text: string): CheckId {
  if (isId(text)) return checkId(text)
  throw checkNotFound()
}

/**
 * The snippet that a message names, which may not exist.
 * @throws DomainError `not_found` for a text that is neither an id nor a name.
 */
function targetOf(text: string): CheckTarget {
  if (text.startsWith('@') && namePattern.test(text.slice(1))) return { name: text.slice(1) }
  return { id: snippetOf(text) }
}

function judgementOf(message: JudgementMessage | undefined): Judgement {
  const as = formats.find((format) => format === message?.as)
  if (message === undefined || as === undefined)
    throw invalidField('/judgement', 'required', 'judgement must say what the candidate was judged as.')
  return { ...message, verdict: verdictOf(message.verdict), as }
}

function checkMessage(check: Check, data: DataContent | null = null): CheckMessage {
  const { id, snippetId, name, state, judgement, tool, title, digest, createdAt } = check
  return {
    ...{ id, tool, title, createdAt, snippetId: snippetId ?? '', name: name ?? '', state: states[state] },
    judgement: { ...judgement, verdict: verdicts[judgement.verdict] },
    sizeBytes: digest.sizeBytes,
    sha256: Buffer.from(digest.sha256, 'hex'),
    expiresAt: endOf(check),
    principal: principalMessage(check.principal),
    version: check.version ?? 0,
    decidedAt: check.decidedAt ?? undefined,
    decidedBy: principalMessage(check.decidedBy),
    note: check.note ?? '',
    data: dataMessage(data),
    etag: checkEtag(check),
    source: check.source ?? '',
  }
}

function orNull(text: string): string | null {
  return text === '' ? null : text
}

/** `CheckService` over gRPC. */
export function grpcChecks(
  { unary }: Pick<Handlers, 'unary'>,
  ports: ContentPorts,
  plans: PlanCatalogue,
): BoundService {
  const handlers: CheckServiceServer = {
    getBaseline: unary(async ({ ownerId, id }) => {
      const { snippet, contract } = await getBaseline(ports, ownerOf(ownerId), targetOf(id))
      return {
        snippet: snippet === null ? undefined : listedSnippet(snippet.record, snippet.data),
        rules: contract?.rules ?? '',
        contractVersion: contract?.version ?? 0,
      }
    }),
    createCheck: unary(async (request) => {
      const { result, replayed } = await createCheck(ports, {
        ...requesterOf(request, plans),
        target: targetOf(request.id),
        tool: orNull(request.tool),
        title: orNull(request.title),
        data: requiredData(request.data),
        judgement: judgementOf(request.judgement),
        baselineId: request.baselineId === '' ? null : snippetId(request.baselineId),
        accept: acceptOf(request.accept),
        principal: principalOf(request.principal),
        source: orNull(request.source),
        idempotencyKey: givenIdempotencyKey(request.idempotencyKey),
      })
      return { check: checkMessage(result), replayed }
    }),
    getCheck: unary(async ({ ownerId, id, includeData }) => {
      const { record, data } = await getCheck(ports, ownerOf(ownerId), checkOf(id), includeData)
      return { check: checkMessage(record, data) }
    }),
    listChecks: unary(async (request) => {
      const isAny = request.state === CheckStateMessage.CHECK_STATE_UNSPECIFIED
      const state = isAny ? null : stateOf(request.state)
      const target = request.id === '' ? null : targetOf(request.id)
      if (target === null && state !== 'pending')
        throw invalidField('/id', 'required', 'id is required, unless state is pending.')
      const { items, next } = await listChecks(ports, {
        ownerId: ownerOf(request.ownerId),
        target,
        state,
        after: positionOf(request.cursor),
        itemsMax: itemsMax(request.pageSize),
      })
      return { checks: items.map((check) => checkMessage(check)), nextCursor: cursorOf(next) }
    }),
    decideCheck: unary(async (request) => {
      const check = await decideCheck(ports, {
        ...requesterOf(request, plans),
        id: checkOf(request.id),
        approve: request.approve,
        note: request.note,
        principal: principalOf(request.principal),
      })
      return { check: checkMessage(check) }
    }),
  }
  return { definition: CheckServiceService, handlers, callers: { each: ['gateway'] } }
}
