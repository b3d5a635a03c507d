import { invalidField } from '#libs/core/domain-error.js'
import { readMembers } from '#libs/core/read-json.js'
import type { Act, Decision, Queue } from '#proto/snipkeep/operator/v1/operator.js'
import type { AuditEntry, OperatorDecision, QueueState } from '../core/audit-entry.js'

/** @throws DomainError `validation_failed` without an operator or a reason. */
export function decisionOf(message: Decision | undefined): OperatorDecision {
  const { operatorId = '', operatorName = '', reason = '', message: told = '', shownAs = '' } = message ?? {}
  if (operatorId === '' || reason.trim() === '')
    throw invalidField('/reason', 'required', 'reason is required.')
  return { operatorId, operatorName, reason, message: told, shownAs: shownAs === '' ? null : shownAs }
}

/** An entry of the audit log as a message. */
export function entryMessage(entry: AuditEntry): Act {
  const { id, action, operatorId, operatorName, subject, accountId, reason, message, detail } = entry
  return {
    ...{ id, action, operatorId, operatorName, accountId, reason, message },
    subjectKind: subject.kind,
    subjectId: subject.id,
    detail: JSON.stringify(detail),
    createdAt: entry.createdAt,
  }
}

const subjects: readonly string[] = ['account', 'share', 'report'] satisfies readonly SubjectKind[]

type SubjectKind = AuditEntry['subject']['kind']

function isSubject(kind: string): kind is SubjectKind {
  return subjects.includes(kind)
}

/** @throws DomainError `validation_failed` for a message that is no entry. */
export function entryOf(message: Act | undefined): AuditEntry {
  const { id = '', action = '', operatorId = '', createdAt, subjectKind = '' } = message ?? {}
  const detail = readMembers(message?.detail ?? '') as AuditEntry['detail'] | null
  const named = id !== '' && action !== '' && operatorId !== ''
  if (
    message === undefined ||
    !named ||
    !isSubject(subjectKind) ||
    detail === null ||
    createdAt === undefined
  ) {
    const words =
      'entry must have an id, an action, an operator, a known subject, a detail that is a JSON object, and a time.'
    throw invalidField('/entry', 'invalid', words)
  }
  const { operatorName, accountId, reason, message: told, subjectId } = message
  return {
    ...{ id, action, operatorId, operatorName, accountId, reason, message: told, detail, createdAt },
    subject: { kind: subjectKind, id: subjectId },
  }
}

/** The state of a queue as a message. */
export function queueMessage({ name, waiting, failing, oldestAt }: QueueState): Queue {
  return { name, waiting, failing, oldestAt: oldestAt ?? undefined }
}
