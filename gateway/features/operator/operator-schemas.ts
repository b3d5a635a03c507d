import { z } from 'zod'
import { longText, reportReason } from '../reports/report-schemas.js'
import { cursor, expiresIn, limit, nextCursor, timestamp } from '../schemas.js'
import { gateFields } from '../shares/share-schemas.js'
import { subscription } from '../subscriptions/subscription-schemas.js'

const reason = longText(1_000)
  .refine((text) => text.trim() !== '', { error: 'must not be empty', params: { code: 'too_short' } })
  .meta({
    minLength: 1,
    description: 'Why; recorded in the audit log, and never shown to the owner.',
    example: 'Asked for by e-mail',
  })

const message = longText(500)
  .optional()
  .describe('What the owner is told in their events, besides what was done.')

/** The body of a decision. */
export const decision = z.strictObject({ reason, message })

/** The body of a decision that no owner is told of. */
export const note = z.strictObject({ reason })

export const planGrant = decision
  .extend({
    plan: z.literal('pro', 'must be pro'),
    expires_in: expiresIn.optional().describe('Seconds from now; instead of `ends_at`.'),
    ends_at: z.iso
      .datetime({ offset: true, error: 'must be an RFC 3339 timestamp such as 2030-01-31T12:00:00Z' })
      .optional()
      .describe('At most ten years from now.'),
  })
  .refine((grant) => (grant.expires_in === undefined) !== (grant.ends_at === undefined), {
    error: 'must be given, or expires_in instead',
    path: ['ends_at'],
    params: { code: 'ambiguous' },
  })

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id')

export const reportListQuery = z.object({
  state: z
    .enum(['open', 'resolved', 'all'], 'must be open, resolved or all')
    .default('open')
    .describe('Which reports.'),
  reason: reportReason.optional().describe('Only reports for this reason.'),
  share: id.optional().describe('Only reports of this share.'),
  limit,
  cursor,
})

const report = z
  .object({
    id: z.string(),
    share: z.object({
      id: z.string(),
      share_url: z.url(),
      title: z.string().describe('As it is now; empty if the share is deleted.'),
      state: z.enum(['live', 'expired', 'disabled', 'deleted']),
    }),
    account_id: z.string(),
    reason: reportReason,
    message: z.string(),
    email: z.string().nullable(),
    times: z.int().describe('How often this reporter has sent it.'),
    created_at: timestamp,
    updated_at: timestamp,
    resolved_at: timestamp.nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'Report' })

export const oneReport = report

export const reportPage = z
  .object({ reports: z.array(report), next_cursor: nextCursor })
  .meta({ id: 'ReportPage' })

export const accountSearch = z
  .object({
    q: z
      .string()
      .min(1, 'must not be empty')
      .max(320, 'must be at most 320 characters')
      .optional()
      .describe('An account id, a whole e-mail address in any case, or a subject of an issuer.'),
    state: z
      .enum(['closing'], 'must be closing')
      .optional()
      .describe('Instead of `q`: the next 100 accounts to be erased.'),
  })
  .refine(({ q, state }) => (q === undefined) !== (state === undefined), {
    error: 'must be given, or state instead',
    path: ['q'],
    params: { code: 'required' },
  })

const accountFields = {
  id: z.string(),
  email: z.string().nullable(),
  email_verified: z.boolean(),
  name: z.string().nullable(),
  issuer: z.string(),
  subject: z.string(),
  plan: z.enum(['free', 'pro']),
  created_at: timestamp,
  signed_in_at: timestamp.describe('Up to a day before the actual last sign-in.'),
  suspended_at: timestamp.nullable(),
  suspension_reason: z.string().nullable(),
  erased_after: timestamp.nullable().describe('When its erasure begins, if its owner closed it.'),
}

const account = z.object(accountFields).meta({ id: 'OperatedAccount' })

export const accountList = z.object({ accounts: z.array(account) }).meta({ id: 'OperatedAccountList' })

export const accountDetails = z
  .object({
    ...accountFields,
    usage: z.object({
      snippets: z.int(),
      shares: z.int(),
      stored_bytes: z.int(),
      api_keys: z.int(),
      contracts: z.int(),
      pending_checks: z.int().describe('Checks that nobody has decided yet.'),
    }),
    billing: subscription.nullable().describe('null without payments, and while billing does not respond.'),
  })
  .meta({ id: 'OperatedAccountDetails' })

export const suspension = account

export const eventsQuery = z.object({ limit, cursor })

export const accountShareQuery = z.object({
  state: z.enum(['live', 'expired', 'all'], 'must be live, expired or all').default('all'),
  limit,
  cursor,
})

export const shareRecord = z
  .object({
    id: z.string(),
    share_url: z.url(),
    account_id: z.string(),
    tool: z.string(),
    title: z.string(),
    size_bytes: z.int(),
    created_at: timestamp,
    expires_at: timestamp.nullable(),
    state: z.enum(['live', 'expired', 'disabled']),
    disabled_at: timestamp.nullable(),
    data_deleted_at: timestamp
      .nullable()
      .describe('When the data of a disabled share is deleted; null if it is not disabled, or has no data.'),
    has_data: z.boolean(),
    account_suspended: z.boolean().describe('Then the share is 404.'),
    ...gateFields,
    views: z.int(),
    open_reports: z.int(),
  })
  .meta({ id: 'OperatedShare' })

export const billingRecord = z
  .object({ account_id: z.string(), billing: subscription })
  .meta({ id: 'OperatedPlan' })

export const auditLogQuery = z.object({
  account: id.optional().describe('Only entries about this account and what it owns.'),
  subject: id.optional().describe('Only entries about the resource with this id.'),
  limit,
  cursor,
})

const auditEntry = z
  .object({
    id: z.string(),
    action: z.string().meta({ description: 'A group and a verb.', example: 'share.disabled' }),
    created_at: timestamp,
    operator: z.object({
      id: z.string().describe('The account of the operator, or `terminal`.'),
      name: z.string(),
    }),
    subject: z.object({ kind: z.string(), id: z.string() }),
    account_id: z.string(),
    reason: z.string(),
    message: z.string().nullable(),
    detail: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  })
  .meta({ id: 'OperatorAct' })

export const auditLogPage = z
  .object({ acts: z.array(auditEntry), next_cursor: nextCursor })
  .meta({ id: 'OperatorActPage' })

const queue = z
  .object({
    service: z.string(),
    name: z.string(),
    waiting: z.int(),
    failing: z.int().describe('Those that have failed at least once.'),
    oldest_at: timestamp.nullable(),
  })
  .meta({ id: 'Queue' })

export const queueList = z
  .object({
    queues: z.array(queue),
    payments: z
      .object({
        provider: z.string(),
        last_event_at: timestamp.nullable(),
        wrong_mode_events: z.int(),
        live_subscriptions: z.int(),
        past_due_subscriptions: z.int(),
        waiting_refunds: z.int(),
        plan_grants: z.int(),
      })
      .nullable()
      .describe('null without payments, and while billing does not respond.'),
    unavailable: z.array(z.string()).describe('Services that did not respond.'),
  })
  .meta({ id: 'QueueList' })
