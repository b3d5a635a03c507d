import type { z } from 'zod'
import { callUnary } from '#libs/grpc/call.js'
import type { NewData } from '#proto/snipkeep/content/v1/document_service.js'
import { ImportedRevision } from '#proto/snipkeep/content/v1/import_service.js'
import { planMessage } from '#shared/plan-messages.js'
import { principalOf } from '../../http/principal.js'
import { type Caller, type RequestContext, shortCall } from '../../http/request-context.js'
import type { RouteParts } from '../feature-dependencies.js'
import type { archivedShare, archivedSnippet } from './archive-schemas.js'
import type { ImportResults } from './import-results.js'

/** Where items are imported to. */
export interface ImportTarget {
  readonly parts: RouteParts
  readonly context: RequestContext
  readonly caller: Caller
  readonly results: ImportResults
}

/** Data that is stored, and the path that it had. */
export interface Stored {
  readonly path: string
  readonly data: NewData
}

type SnippetRecord = z.infer<typeof archivedSnippet>

const ownerOf = ({ accountId, plan }: Caller) => ({ ownerId: accountId, plan: planMessage(plan) })

/** Creates a snippet with its id, name and times. */
export async function importSnippet(
  { parts, context, caller, results }: ImportTarget,
  { id, name, tool, title, tags, version: revision, ...times }: SnippetRecord,
  { path, data }: Stored,
): Promise<void> {
  const { imports } = parts.upstreams
  const request = {
    ...{ ...ownerOf(caller), id, name: name ?? '', tool, title, tags, data, revision },
    ...{ createdAt: times.created_at, updatedAt: times.updated_at },
  }
  const made = await callUnary(imports, imports.importSnippet, request, shortCall(context))
  const warning = made.nameTaken ? { warning: 'name_taken' } : {}
  results.add(path, made.existed ? 'exists' : 'created', { id: made.id, ...warning })
}

/** @param id the snippet's id in this account. */
export async function importRevision(
  { parts, context, caller, results }: ImportTarget,
  id: string,
  { version, tool, title, tags, created_at: createdAt }: SnippetRecord['revisions'][number],
  { path, data }: Stored,
): Promise<void> {
  const { imports } = parts.upstreams
  const request = { ...ownerOf(caller), id, version, tool, title, tags, data, createdAt }
  const { result } = await callUnary(imports, imports.importRevision, request, shortCall(context))
  if (result === ImportedRevision.IMPORTED_REVISION_NOT_KEPT)
    results.add(path, 'skipped', { id, reason: 'plan' })
  else results.add(path, result === ImportedRevision.IMPORTED_REVISION_EXISTS ? 'exists' : 'created', { id })
}

/** Publishes a share under a new link. */
export async function importShare(
  { parts, context, caller, results }: ImportTarget,
  { id, tool, title, expires_at: expiresAt }: z.infer<typeof archivedShare>,
  { path, data }: Stored,
): Promise<void> {
  const { imports } = parts.upstreams
  const expiry = { expiresAt: expiresAt ?? undefined, principal: principalOf(caller) }
  const request = { ...ownerOf(caller), id, tool, title, data, ...expiry }
  const made = await callUnary(imports, imports.importShare, request, shortCall(context))
  const link = { id: made.id, share_url: `${parts.shareBaseUrl}/s/${made.id}` }
  results.add(path, made.existed ? 'exists' : 'created', link)
}
