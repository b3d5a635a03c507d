import { statement } from '#libs/postgres/pool.js'
import { type Check, type CheckState, type JudgedAs, pendingDays, type Verdict } from '../domain/check.js'
import { checkId, ownerId, snippetId } from '../domain/ids.js'
import { principalFromText, principalToText } from '../domain/snippet.js'
import type { DigestedData } from '../domain/stored-data.js'
import { type DataColumns, dataValues, digestOf } from './postgres-rows.js'

/** A row of the table `snippet_check`. */
export interface CheckRow extends DataColumns {
  readonly id: string
  readonly owner_id: string
  /** The id of the snippet, or `@` and the name that no snippet had. */
  readonly subject: string
  readonly name: string | null
  readonly state: CheckState
  readonly verdict: Verdict
  readonly judged_as: JudgedAs
  readonly break_count: string
  readonly allowed_count: string
  readonly breaks: string
  readonly truncated: boolean
  readonly baseline_version: number
  readonly contract_version: number
  readonly tool: string
  readonly title: string
  readonly principal: string | null
  readonly source: string | null
  readonly created_at: Date
  readonly version: number | null
  readonly decided_at: Date | null
  readonly decided_by: string | null
  readonly note: string | null
}

/** Whether a pending check has expired, also before its candidate is dropped. */
export const isDue = `snippet_check.created_at <= now() - interval '${pendingDays} days'`

/** The columns of a check without its candidate. */
export const checkColumns = (
  breaks: string,
): string => `snippet_check.id, snippet_check.owner_id, snippet_check.subject,
  snippet_check.name, CASE WHEN snippet_check.state = 'pending' AND ${isDue} THEN 'expired' ELSE snippet_check.state END
  AS state, snippet_check.verdict, snippet_check.judged_as, snippet_check.break_count, snippet_check.allowed_count,
  ${breaks} AS breaks, snippet_check.truncated, snippet_check.baseline_version, snippet_check.contract_version,
  snippet_check.tool, snippet_check.title, snippet_check.size_bytes, snippet_check.sha256, snippet_check.document_id,
  snippet_check.principal, snippet_check.source, snippet_check.created_at, snippet_check.version,
  snippet_check.decided_at, snippet_check.decided_by, snippet_check.note`

const add = statement('check-add')(`
  INSERT INTO snippet_check (id, owner_id, subject, name, state, verdict, judged_as, break_count, allowed_count, breaks,
    truncated, baseline_version, contract_version, tool, title, size_bytes, sha256, data, document_id, principal, source,
    created_at, version)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`)

function principalIn(text: string | null): Check['principal'] {
  return text === null ? null : principalFromText(text)
}

/** A principal as a column. */
export function principalText(principal: Check['principal']): string | null {
  return principal === null ? null : principalToText(principal)
}

/** The subject of a check. */
export function subjectOf({ snippetId: id, name }: Pick<Check, 'snippetId' | 'name'>): string {
  return id ?? `@${name ?? ''}`
}

/** The statement that inserts a check, with its candidate if it is pending. */
export function addStatement(check: Check, data: DigestedData) {
  const { id, ownerId: owner, name, state, judgement, tool, title, principal, source } = check
  const { verdict, as, breakCount, allowedCount, breaks, truncated } = judgement
  const { baselineVersion, contractVersion } = judgement
  const [sizeBytes, sha256, bytes, document] = dataValues(data)
  const candidate = state === 'pending' ? [bytes, document] : [null, null]
  return add(
    ...[id, owner, subjectOf(check), name, state, verdict, as, breakCount, allowedCount, breaks, truncated],
    ...[baselineVersion, contractVersion, tool, title, sizeBytes, sha256, ...candidate],
    ...[principalText(principal), source, check.createdAt, check.version],
  )
}

/** The check in a row. */
export function restoreCheck(row: CheckRow): Check {
  return {
    id: checkId(row.id),
    ownerId: ownerId(row.owner_id),
    snippetId: row.subject.startsWith('@') ? null : snippetId(row.subject),
    name: row.name,
    state: row.state,
    judgement: {
      verdict: row.verdict,
      as: row.judged_as,
      breakCount: Number(row.break_count),
      allowedCount: Number(row.allowed_count),
      breaks: row.breaks,
      truncated: row.truncated,
      baselineVersion: row.baseline_version,
      contractVersion: row.contract_version,
    },
    tool: row.tool,
    title: row.title,
    digest: digestOf(row),
    createdAt: row.created_at,
    principal: principalIn(row.principal),
    version: row.version,
    decidedAt: row.decided_at,
    decidedBy: principalIn(row.decided_by),
    note: row.note,
    source: row.source,
  }
}
