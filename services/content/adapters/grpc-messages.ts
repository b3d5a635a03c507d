import { invalidField } from '#libs/core/domain-error.js'
import type { NewData as NewDataMessage } from '#proto/snipkeep/content/v1/document_service.js'
import type { Revision as RevisionMessage } from '#proto/snipkeep/content/v1/revision_service.js'
import type { ShareGate, Share as ShareMessage } from '#proto/snipkeep/content/v1/share_service.js'
import type {
  GetSnippetRequest,
  Principal as PrincipalMessage,
  Snippet as SnippetMessage,
} from '#proto/snipkeep/content/v1/snippet_service.js'
import type { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { planName } from '#shared/plan-messages.js'
import type { Requester } from '../application/digest-data.js'
import {
  type DocumentId,
  documentId,
  isId,
  type OwnerId,
  ownerId,
  type ShareId,
  type SnippetId,
  shareId,
  snippetId,
} from '../domain/ids.js'
import { type Revision, revisionEtag } from '../domain/revision.js'
import { type Share, shareNotFound } from '../domain/share.js'
import type { Gate } from '../domain/share-gate.js'
import { namePattern, type Principal, type Snippet, snippetNotFound } from '../domain/snippet.js'
import type { SnippetKey } from '../domain/snippet-reads.js'
import { type DataContent, type DataDigest, documentGone, etagOf } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'

/**
 * The owner in a message.
 * @throws DomainError `validation_failed`.
 */
export function ownerOf(text: string): OwnerId {
  if (isId(text)) return ownerId(text)
  throw invalidField('/owner_id', 'invalid_format', 'owner_id must name an account.')
}

/**
 * The owner in a message, with their plan.
 * @throws DomainError `validation_failed`.
 */
export function requesterOf(
  request: { readonly ownerId: string; readonly plan: Plan },
  plans: PlanCatalogue,
): Requester {
  const plan = planName(request.plan)
  return { ownerId: ownerOf(request.ownerId), plan, limits: plans[plan] }
}

/**
 * The snippet id in a message.
 * @throws DomainError `not_found` for an invalid id.
 */
export function snippetOf(text: string): SnippetId {
  if (isId(text)) return snippetId(text)
  throw snippetNotFound()
}

/**
 * The share id in a message.
 * @throws DomainError `not_found` for an invalid id.
 */
export function shareOf(text: string): ShareId {
  if (isId(text)) return shareId(text)
  throw shareNotFound()
}

/**
 * The document id in a message.
 * @throws DomainError `unavailable` for an invalid id.
 */
export function documentOf(text: string): DocumentId {
  if (isId(text)) return documentId(text)
  throw documentGone()
}

/** The data in a message; `undefined` if it has none. */
export function newData(message: NewDataMessage | undefined): DataContent | undefined {
  const source = message?.source
  switch (source?.$case) {
    case undefined:
      return undefined
    case 'inline':
      return { kind: 'inline', bytes: source.value }
    case 'documentId':
      return { kind: 'document', id: documentOf(source.value) }
    default:
      return source satisfies undefined
  }
}

/**
 * The required data in a message.
 * @throws DomainError `validation_failed`.
 */
export function requiredData(message: NewDataMessage | undefined): DataContent {
  const data = newData(message)
  if (data === undefined) throw invalidField('/data', 'required', 'data is required.')
  return data
}

/** The principal in a message; `null` if it has no known one. */
export function principalOf(message: PrincipalMessage | undefined): Principal | null {
  const { kind, id = '', label = '' } = message ?? {}
  if (kind !== 'owner' && kind !== 'api_key' && kind !== 'ci_job') return null
  return { kind, id: id === '' ? null : id, label: label === '' ? null : label }
}

/** A principal in a message; `undefined` if it is unknown. */
export function principalMessage(principal: Principal | null): PrincipalMessage | undefined {
  if (principal === null) return undefined
  return { ...principal, id: principal.id ?? '', label: principal.label ?? '' }
}

/** Data in a message; `undefined` for none. */
export function dataMessage(data: DataContent | null): SnippetMessage['data'] {
  switch (data?.kind) {
    case undefined:
      return undefined
    case 'inline':
      return {
        $case: 'inline',
        value: Buffer.from(data.bytes.buffer, data.bytes.byteOffset, data.bytes.byteLength),
      }
    case 'document':
      return { $case: 'documentId', value: data.id }
    default:
      return data satisfies never
  }
}

function bytesOfDigest({ sha256 }: DataDigest): Buffer {
  return Buffer.from(sha256, 'hex')
}

/** A snippet in a list, with its digest and the number of its version. */
export function listedSnippet(snippet: Snippet, data: DataContent | null): SnippetMessage {
  const { digest, version } = snippet
  return { ...snippetMessage(snippet, data), sha256: bytesOfDigest(digest), revision: version }
}

/** A share in a list of its owner, with its digest. */
export function listedShare(share: Share): ShareMessage {
  return { ...shareMessage(share, null, true), sha256: bytesOfDigest(share.digest) }
}

export function snippetMessage(snippet: Snippet, data: DataContent | null = null): SnippetMessage {
  const { id, name, tool, title, tags, digest, createdAt, updatedAt } = snippet
  return {
    id,
    name: name ?? '',
    tool,
    title,
    tags: [...tags],
    sizeBytes: digest.sizeBytes,
    createdAt,
    updatedAt,
    etag: etagOf(snippet),
    data: dataMessage(data),
    sha256: undefined,
    revision: undefined,
  }
}

export function revisionMessage(revision: Revision, data: DataContent | null = null): RevisionMessage {
  const { version, isCurrent, tool, title, tags, digest, createdAt, principal } = revision
  return {
    version,
    isCurrent,
    tool,
    title,
    tags: [...tags],
    sizeBytes: digest.sizeBytes,
    createdAt,
    principal: principalMessage(principal),
    etag: revisionEtag(revision),
    data: dataMessage(data),
    sha256: bytesOfDigest(digest),
  }
}

/** @param forOwner whether it tells how it was used. */
export function gateMessage(gate: Gate | null, forOwner: boolean): ShareGate | undefined {
  if (gate === null) return undefined
  const { hasPassword, viewsLeft, views, firstViewedAt, lastViewedAt, failedPasswords } = gate
  const times = { firstViewedAt: firstViewedAt ?? undefined, lastViewedAt: lastViewedAt ?? undefined }
  return {
    hasPassword,
    viewsLeft: viewsLeft ?? undefined,
    use: forOwner ? { views, ...times, failedPasswords } : undefined,
  }
}

/** What everyone may know of a gated share. */
export function gatedShareMessage({ id, digest, createdAt, expiresAt, gate }: Share): ShareMessage {
  return {
    ...{ id, tool: '', title: '', etag: '', data: undefined, disabledAt: undefined, sha256: undefined },
    ...{ sizeBytes: digest.sizeBytes, createdAt, expiresAt: expiresAt ?? undefined },
    gate: gateMessage(gate, false),
  }
}

/** @param forOwner whether it tells how the gate was used. */
export function shareMessage(share: Share, data: DataContent | null = null, forOwner = false): ShareMessage {
  const { id, tool, title, digest, createdAt, expiresAt, disabledAt } = share
  return {
    id,
    tool,
    title,
    sizeBytes: digest.sizeBytes,
    createdAt,
    expiresAt: expiresAt ?? undefined,
    etag: etagOf(share),
    data: dataMessage(data),
    disabledAt: disabledAt ?? undefined,
    sha256: undefined,
    gate: gateMessage(share.gate, forOwner),
  }
}

/** The snippet in a message, by id or by `@` and its name. */
export type SnippetReference = Pick<GetSnippetRequest, 'ownerId' | 'id'>

/**
 * The ids of the snippets in messages. An unknown name stays as it is, which is no valid id.
 * @throws DomainError `not_found` for a text that is neither an id nor a name.
 */
export async function idsOf(
  { snippets }: Pick<ContentPorts, 'snippets'>,
  references: readonly SnippetReference[],
): Promise<readonly SnippetId[]> {
  const named = references.filter(({ id }) => id.startsWith('@') && namePattern.test(id.slice(1)))
  const keys = named.map(({ ownerId, id }) => ({ ownerId: ownerOf(ownerId), name: id.slice(1) }))
  const found = keys.length === 0 ? [] : await snippets.findIds(keys)
  const idOf = new Map(named.map((reference, index) => [reference, found[index] ?? snippetId(reference.id)]))
  return references.map((reference) => idOf.get(reference) ?? snippetOf(reference.id))
}

/** The same for one snippet. */
export async function idOf(
  ports: Pick<ContentPorts, 'snippets'>,
  reference: SnippetReference,
): Promise<SnippetId> {
  const [id] = await idsOf(ports, [reference])
  return id ?? snippetOf(reference.id)
}

/** The snippet in a message, as its owner's. */
export async function keyOf(
  ports: Pick<ContentPorts, 'snippets'>,
  reference: SnippetReference,
): Promise<SnippetKey> {
  return { ownerId: ownerOf(reference.ownerId), id: await idOf(ports, reference) }
}
