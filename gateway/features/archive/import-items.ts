import type { z } from 'zod'
import { callUnary } from '#libs/grpc/call.js'
import type { NewData } from '#proto/snipkeep/content/v1/document_service.js'
import {
  type ImportedItem,
  type ImportedKind,
  ImportedRevision,
} from '#proto/snipkeep/content/v1/import_service.js'
import { planMessage } from '#shared/plan-messages.js'
import {
  type Caller,
  mayApprove,
  principalOf,
  type RequestContext,
  shortCall,
} from '../../request/request-context.js'
import type { JudgeDependencies } from '../contracts/judge-candidate.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import type { SecretWarning } from '../shares/secret-warnings.js'
import type { AllowSecrets } from '../shares/share-secrets.js'
import type { archivedShare, archivedSnippet } from './archive-schemas.js'
import type { ImportResults } from './import-results.js'

/** What an import needs. */
export type ImportDependencies = Pick<
  FeatureDependencies,
  | 'archiveQuota'
  | 'plans'
  | 'reauthenticate'
  | 'shareBaseUrl'
  | 'shareSecrets'
  | 'tools'
  | 'uploads'
  | 'upstreams'
> &
  JudgeDependencies

/** Where items are imported to. */
export interface ImportTarget {
  readonly dependencies: ImportDependencies
  readonly context: RequestContext
  readonly caller: Caller
  readonly results: ImportResults
  readonly allowSecrets: AllowSecrets
}

/** Data that is stored, the path that it had, and what seems to be a secret in it. */
export interface Stored {
  readonly path: string
  readonly data: NewData
  readonly warnings: readonly SecretWarning[]
}

type SnippetRecord = z.infer<typeof archivedSnippet>

const ownerOf = ({ accountId, plan }: Caller) => ({ ownerId: accountId, plan: planMessage(plan) })

/** What the account has of these items of an archive. */
export async function findImported(
  { dependencies, context, caller }: Pick<ImportTarget, 'dependencies' | 'context' | 'caller'>,
  kind: ImportedKind,
  records: readonly { readonly id: string; readonly sha256: string }[],
): Promise<readonly ImportedItem[]> {
  const { imports } = dependencies.upstreams
  const origins = records.map(({ id, sha256 }) => ({ kind, id, sha256: Buffer.from(sha256, 'hex') }))
  const request = { ownerId: caller.accountId, origins }
  return (await callUnary(imports, imports.findImported, request, shortCall(context))).items
}

/** Creates a snippet with its id, name and times. */
export async function importSnippet(
  { dependencies, context, caller, results }: ImportTarget,
  { id, name, tool, title, tags, version: revision, ...times }: SnippetRecord,
  { path, data }: Stored,
): Promise<void> {
  const { imports } = dependencies.upstreams
  const request = {
    ...{ ...ownerOf(caller), id, name: name ?? '', tool, title, tags, data, revision },
    ...{ createdAt: times.created_at, updatedAt: times.updated_at, mayApprove: mayApprove(caller) },
  }
  const made = await callUnary(imports, imports.importSnippet, request, shortCall(context))
  const warning = made.nameTaken ? { warning: 'name_taken' } : {}
  results.add(path, made.existed ? 'exists' : 'created', { id: made.id, ...warning })
}

/** @param id the snippet's id in this account. */
export async function importRevision(
  { dependencies, context, caller, results }: ImportTarget,
  id: string,
  { version, tool, title, tags, created_at: createdAt }: SnippetRecord['revisions'][number],
  { path, data }: Stored,
): Promise<void> {
  const { imports } = dependencies.upstreams
  const fields = { id, version, tool, title, tags, data, createdAt }
  const request = { ...ownerOf(caller), ...fields, mayApprove: mayApprove(caller) }
  const { result } = await callUnary(imports, imports.importRevision, request, shortCall(context))
  if (result === ImportedRevision.IMPORTED_REVISION_NOT_KEPT)
    results.add(path, 'skipped', { id, reason: 'plan' })
  else results.add(path, result === ImportedRevision.IMPORTED_REVISION_EXISTS ? 'exists' : 'created', { id })
}

/** Publishes a share under a new link, behind its gate if it had one. */
export async function importShare(
  { dependencies, context, caller, results, allowSecrets }: ImportTarget,
  { id, tool, title, expires_at: expiresAt, gated }: z.infer<typeof archivedShare>,
  { path, data, warnings }: Stored,
): Promise<void> {
  const { imports } = dependencies.upstreams
  const share = {
    ...{ ...ownerOf(caller), id, tool, title, data },
    ...{ expiresAt: expiresAt ?? undefined, principal: principalOf(caller) },
    allowedSecrets: allowSecrets === true ? [...new Set(warnings.map(({ rule }) => rule))] : [],
  }
  const call = shortCall(context)
  const made = await (gated === undefined
    ? callUnary(imports, imports.importShare, share, call)
    : callUnary(imports, imports.importGatedShare, { share, viewsMax: gated.views_left ?? 0 }, call))
  const link = { id: made.id, share_url: `${dependencies.shareBaseUrl}/s/${made.id}` }
  if (made.existed) results.add(path, 'exists', link)
  else results.add(path, 'created', { ...link, ...(warnings.length > 0 ? { warnings } : {}) })
}
