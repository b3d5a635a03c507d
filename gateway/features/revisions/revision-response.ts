import type { Revision } from '#proto/snipkeep/content/v1/revision_service.js'
import type { Principal } from '#proto/snipkeep/content/v1/snippet_service.js'

/** Who did something; `null` if that was not recorded. */
export function principalResponse(principal: Principal | undefined): Record<string, unknown> | null {
  if (principal === undefined) return null
  const { kind, id, label, checkId } = principal
  return {
    kind,
    id: id || null,
    label: label || null,
    ...(checkId === undefined ? {} : { check_id: checkId }),
  }
}

function fields({ version, isCurrent, tool, title }: Revision) {
  return { version, current: isCurrent, tool, title }
}

function more({ tags, sizeBytes, createdAt, principal }: Revision) {
  if (createdAt === undefined) throw new Error('content returned a version without a time')
  return {
    tags,
    size_bytes: sizeBytes,
    created_at: createdAt.toISOString(),
    principal: principalResponse(principal),
  }
}

/** Without `data`. */
export function revisionSummary(revision: Revision): Record<string, unknown> {
  return { ...fields(revision), ...more(revision) }
}

/** The JSON text before and after `data`. */
export function revisionEnvelope(revision: Revision): readonly [Buffer, Buffer] {
  const before = JSON.stringify(fields(revision))
  const after = JSON.stringify(more(revision))
  return [Buffer.from(`${before.slice(0, -1)},"data":`), Buffer.from(`,${after.slice(1)}`)]
}
