import { validationFailed } from '#libs/core/domain-error.js'
import { cursorOf, itemsMax, positionOf } from '#libs/paging/list-position.js'
import type { Act, Decision, Queue } from '#proto/snipkeep/operator/v1/operator.js'
import type {
  OperatorAct,
  OperatorActFilter,
  OperatorActPage,
  OperatorDecision,
  QueueState,
} from '../core/operator-act.js'

/** The request of each service's `ListActs`. */
export interface ListActsRequest {
  readonly accountId: string
  readonly subjectId: string
  readonly pageSize: number
  readonly cursor: string
}

/** Its response. */
export interface ListActsResponse {
  acts: Act[]
  nextCursor: string
}

/** @throws DomainError `validation_failed` without an operator or a reason. */
export function decisionOf(message: Decision | undefined): OperatorDecision {
  const { operatorId = '', operatorName = '', reason = '', message: told = '', shownAs = '' } = message ?? {}
  if (operatorId === '' || reason.trim() === '')
    throw validationFailed([{ pointer: '/reason', code: 'required', detail: 'reason is required.' }])
  return { operatorId, operatorName, reason, message: told, shownAs: shownAs === '' ? null : shownAs }
}

function actMessage(act: OperatorAct): Act {
  const { id, action, operatorId, operatorName, subject, accountId, reason, message, detail } = act
  return {
    ...{ id, action, operatorId, operatorName, accountId, reason, message },
    subjectKind: subject.kind,
    subjectId: subject.id,
    detail: JSON.stringify(detail),
    createdAt: act.createdAt,
  }
}

/** A handler of `ListActs` over a store. */
export function listActsWith(
  list: (filter: OperatorActFilter) => Promise<OperatorActPage>,
): (request: ListActsRequest) => Promise<ListActsResponse> {
  return async ({ accountId, subjectId, pageSize, cursor }) => {
    const { items, next } = await list({
      accountId: accountId === '' ? null : accountId,
      subjectId: subjectId === '' ? null : subjectId,
      after: positionOf(cursor),
      itemsMax: itemsMax(pageSize),
    })
    return { acts: items.map(actMessage), nextCursor: cursorOf(next) }
  }
}

/** The state of a queue as a message. */
export function queueMessage({ name, waiting, failing, oldestAt }: QueueState): Queue {
  return { name, waiting, failing, oldestAt: oldestAt ?? undefined }
}
