import type { BillingRecord, GetPaymentStateResponse } from '#proto/snipkeep/billing/v1/operator_service.js'
import type { ShareRecord } from '#proto/snipkeep/content/v1/operator_service.js'
import type { Report } from '#proto/snipkeep/content/v1/report_service.js'
import type { AccountRecord } from '#proto/snipkeep/identity/v1/operator_service.js'
import type { Act, Queue } from '#proto/snipkeep/operator/v1/operator.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import { gateOf } from '../shares/share-response.js'
import { subscriptionResponse } from '../subscriptions/subscription-schemas.js'

type Fields = Record<string, unknown>

function timeOf(at: Date | undefined): string {
  if (at === undefined) throw new Error('a service returned a record without its time')
  return at.toISOString()
}

function textOrNull(text: string): string | null {
  return text === '' ? null : text
}

export function reportResponse(report: Report | undefined, shareBaseUrl: string): Fields {
  if (report === undefined) throw new Error('content returned no report')
  const { id, shareId, shareTitle: title, shareState: state, ownerId, reason, message, email, times } = report
  return {
    id,
    share: { id: shareId, share_url: `${shareBaseUrl}/s/${shareId}`, title, state },
    account_id: ownerId,
    ...{ reason, message, email: textOrNull(email), times },
    created_at: timeOf(report.createdAt),
    updated_at: timeOf(report.updatedAt),
    resolved_at: report.resolvedAt?.toISOString() ?? null,
    note: textOrNull(report.note),
  }
}

export function accountResponse(record: AccountRecord | undefined, everyoneIsPro: boolean): Fields {
  const account = record?.account
  if (record === undefined || account === undefined) throw new Error('identity returned no account')
  const { issuer, subject, signedInAt, suspendedAt, suspensionReason } = record
  return {
    id: account.id,
    email: account.email ?? null,
    email_verified: account.emailVerified,
    name: account.name ?? null,
    ...{ issuer, subject, plan: everyoneIsPro || account.plan === Plan.PLAN_PRO ? 'pro' : 'free' },
    created_at: timeOf(account.createdAt),
    signed_in_at: timeOf(signedInAt),
    suspended_at: suspendedAt?.toISOString() ?? null,
    suspension_reason: textOrNull(suspensionReason),
    erased_after: account.erasedAfter?.toISOString() ?? null,
  }
}

export function shareRecordResponse(record: ShareRecord | undefined, shareBaseUrl: string): Fields {
  if (record === undefined) throw new Error('content returned no share')
  const { id, ownerId, tool, title, sizeBytes, createdAt, expiresAt, state, disabledAt, dataDeletedAt } =
    record
  return {
    id,
    share_url: `${shareBaseUrl}/s/${id}`,
    account_id: ownerId,
    ...{ tool, title, size_bytes: sizeBytes, created_at: timeOf(createdAt) },
    expires_at: expiresAt?.toISOString() ?? null,
    state,
    disabled_at: disabledAt?.toISOString() ?? null,
    data_deleted_at: dataDeletedAt?.toISOString() ?? null,
    has_data: record.hasData,
    account_suspended: record.ownerSuspended,
    ...gateOf(record),
    views: record.views,
    open_reports: record.openReports,
  }
}

export function billingResponse({ plan, subscription, grantedUntil }: BillingRecord): Fields {
  return subscriptionResponse({ plan, subscription, grantedUntil })
}

export function auditEntryResponse({ createdAt, ...entry }: Act): Fields {
  const { id, action, operatorId, operatorName, subjectKind, subjectId } = entry
  const { accountId, reason, message, detail } = entry
  return {
    ...{ id, action, created_at: timeOf(createdAt) },
    operator: { id: operatorId, name: operatorName },
    subject: { kind: subjectKind, id: subjectId },
    account_id: accountId,
    ...{ reason, message: textOrNull(message), detail: JSON.parse(detail) },
  }
}

export function queueResponse(service: string, { name, waiting, failing, oldestAt }: Queue): Fields {
  return { service, name, waiting, failing, oldest_at: oldestAt?.toISOString() ?? null }
}

export function paymentsResponse(state: GetPaymentStateResponse): Fields {
  return {
    provider: state.provider,
    last_event_at: state.lastEventAt?.toISOString() ?? null,
    wrong_mode_events: state.wrongModeEvents,
    live_subscriptions: state.liveSubscriptions,
    past_due_subscriptions: state.pastDueSubscriptions,
    waiting_refunds: state.waitingRefunds,
    plan_grants: state.planGrants,
  }
}
