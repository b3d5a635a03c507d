import {
  draftSnippet,
  type Principal,
  type Snippet,
  snippetFromText,
  snippetLimitReached,
} from '../domain/snippet.js'
import { type DataContent, diskFull, storageQuota } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'
import { digestData, type Requester } from './digest-data.js'
import { type IdempotentResult, runIdempotent } from './run-idempotent.js'

export interface CreateSnippet extends Requester {
  readonly name: string | null
  readonly tool: string
  readonly title: string
  readonly tags: readonly string[]
  readonly data: DataContent
  /** Absent if unknown. */
  readonly principal?: Principal | null | undefined
  readonly idempotencyKey: string | null
  /** If true, a retry may have a different title. */
  readonly titleIsGenerated?: boolean
  /** Whether the caller may give it the name of a contract's schema. */
  readonly mayApprove: boolean
}

/**
 * Saves a snippet.
 * @throws DomainError `validation_failed`, `data_too_large`, `snippet_limit_reached`,
 * `storage_limit_reached`, `name_taken`, `approval_required`, the two idempotency codes, `unavailable`.
 */
export async function createSnippet(
  ports: Pick<ContentPorts, 'snippets' | 'registry' | 'idempotency' | 'hashing' | 'ids' | 'diskIsFull'>,
  request: CreateSnippet,
): Promise<IdempotentResult<Snippet>> {
  const { ownerId, plan, limits, idempotencyKey } = request
  const data = await digestData(ports, request.data, plan, limits)
  const draft = draftSnippet({
    id: ports.ids.snippet(),
    ownerId,
    name: request.name,
    tool: request.tool,
    title: request.title,
    tags: request.tags,
    data,
    principal: request.principal,
    mayApprove: request.mayApprove,
  })
  const nameGiven = draft.name === null ? [] : [draft.name]
  const titleGiven = request.titleIsGenerated === true ? null : draft.title
  return runIdempotent(ports, {
    key: idempotencyKey === null ? null : { ownerId, operation: 'create-snippet', key: idempotencyKey },
    holder: data.kind === 'document' ? data.id : ports.ids.holder(),
    fingerprint: ports.hashing.sha256(
      JSON.stringify([draft.tool, titleGiven, draft.tags, data.digest, ...nameGiven]),
    ),
    effect: async (completion) => {
      if (ports.diskIsFull()) throw diskFull()
      const storage = storageQuota(plan, limits)
      const snippet = await ports.snippets.add(draft, limits.snippets, completion, storage)
      if (snippet === null) throw snippetLimitReached(plan, limits.snippets ?? 0)
      return snippet
    },
    restore: snippetFromText,
  })
}

/**
 * Checks whether a create would be rejected now; the create itself decides exactly.
 * @throws DomainError `snippet_limit_reached`.
 */
export async function checkSnippetQuota(
  { snippets }: Pick<ContentPorts, 'snippets'>,
  { ownerId, plan, limits: { snippets: limit } }: Requester,
): Promise<void> {
  if (limit !== null && (await snippets.count(ownerId)) >= limit) throw snippetLimitReached(plan, limit)
}
