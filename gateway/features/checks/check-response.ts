import { type Check, CheckState, Verdict } from '#proto/snipkeep/content/v1/check_service.js'
import { principalResponse } from '../revisions/revision-response.js'

/** Verdicts as content gets them. */
export const verdictMessages = {
  same: Verdict.VERDICT_SAME,
  allowed: Verdict.VERDICT_ALLOWED,
  breaks: Verdict.VERDICT_BREAKS,
  new: Verdict.VERDICT_NEW,
} as const

/** States as content gets them. */
export const stateMessages = {
  pending: CheckState.CHECK_STATE_PENDING,
  accepted: CheckState.CHECK_STATE_ACCEPTED,
  approved: CheckState.CHECK_STATE_APPROVED,
  rejected: CheckState.CHECK_STATE_REJECTED,
  expired: CheckState.CHECK_STATE_EXPIRED,
} as const

function nameOf<Name extends string>(messages: Readonly<Record<Name, number>>, message: number): string {
  const found = Object.entries(messages).find(([, one]) => one === message)
  if (found === undefined) throw new Error(`content returned an unknown value ${message}`)
  return found[0]
}

function timeOf(time: Date | undefined): string {
  if (time === undefined) throw new Error('content returned a check without a time')
  return time.toISOString()
}

function head(publicBaseUrl: string, { id, snippetId, name, state, judgement }: Check) {
  if (judgement === undefined) throw new Error('content returned a check without a judgement')
  return {
    ...{ id, url: `${publicBaseUrl}/checks/${id}`, snippet_id: snippetId || null, name: name || null },
    ...{ verdict: nameOf(verdictMessages, judgement.verdict), state: nameOf(stateMessages, state) },
    as: judgement.as,
    counts: { breaks: judgement.breakCount, allowed: judgement.allowedCount },
  }
}

function rest(publicBaseUrl: string, check: Check) {
  const { id, snippetId, judgement, decidedAt } = check
  const baseline = judgement?.baselineVersion || null
  const hasBaseline = baseline !== null && snippetId !== ''
  return {
    truncated: judgement?.truncated,
    ...{ baseline_version: baseline, contract_version: judgement?.contractVersion || null },
    version: check.version || null,
    ...{ tool: check.tool, title: check.title },
    ...{ size_bytes: check.sizeBytes, sha256: check.sha256.toString('hex') },
    ...{ created_at: timeOf(check.createdAt), expires_at: timeOf(check.expiresAt) },
    principal: principalResponse(check.principal),
    ...{ decided_at: decidedAt?.toISOString() ?? null, decided_by: principalResponse(check.decidedBy) },
    ...{ note: check.note || null, source: check.source || null },
    raw_url: `${publicBaseUrl}/api/checks/${id}/raw`,
    baseline_url: hasBaseline ? `${publicBaseUrl}/api/snippets/${snippetId}/revisions/${baseline}/raw` : null,
  }
}

/** Without breaks. */
export function checkSummary(publicBaseUrl: string, check: Check): Record<string, unknown> {
  return { ...head(publicBaseUrl, check), ...rest(publicBaseUrl, check) }
}

/** With the breaks that are kept. */
export function checkResponse(publicBaseUrl: string, check: Check): Record<string, unknown> {
  const breaks: unknown = JSON.parse(check.judgement?.breaks || '[]')
  return { ...head(publicBaseUrl, check), breaks, ...rest(publicBaseUrl, check) }
}
