import { type DomainError, notOwner } from '#libs/core/domain-error.js'
import type { SnippetId } from '../domain/ids.js'
import { type Snippet, snippetNotFound } from '../domain/snippet.js'
import type { SnippetRead } from '../domain/snippet-reads.js'
import { verifyInline, type WithData } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'

/** Why a caller has no snippet with this id: `not_owner` if someone else has it, else `not_found`. */
export async function notFoundOrNotOwner(
  { snippets }: Pick<ContentPorts, 'snippets'>,
  id: SnippetId,
): Promise<DomainError> {
  return (await snippets.exists(id)) ? notOwner() : snippetNotFound()
}

/** A conditional read by the ETag of the caller's copy; unconditional if it is empty. */
export interface ConditionalRead extends SnippetRead {
  readonly knownEtag: string
}

/** For each read, whether the caller's copy is current. */
async function findUnchanged(
  { snippets }: Pick<ContentPorts, 'snippets'>,
  reads: readonly ConditionalRead[],
): Promise<readonly boolean[]> {
  if (reads.every(({ knownEtag }) => knownEtag === '')) return reads.map(() => false)
  const etags = await snippets.findEtags(reads)
  return reads.map(({ knownEtag }, index) => etags[index] === knownEtag)
}

/**
 * The owner's snippet for each of these reads, in order; small data is included, checked against its SHA-256.
 * `null` if the caller's copy is current.
 * A single read fails with a DomainError `not_found` or `not_owner`, or with an Error if the database has
 * lost or changed its bytes.
 * @throws what the store throws; then all reads have failed.
 */
export async function getSnippets(
  ports: Pick<ContentPorts, 'snippets' | 'hashing'>,
  reads: readonly ConditionalRead[],
): Promise<readonly PromiseSettledResult<WithData<Snippet> | null>[]> {
  const unchanged = await findUnchanged(ports, reads)
  const left = reads.filter((_read, index) => unchanged[index] !== true)
  const found = (left.length === 0 ? [] : await ports.snippets.findAll(left)).values()
  return Promise.allSettled(
    reads.map(async ({ id }, index) => {
      if (unchanged[index] === true) return null
      const one = found.next().value ?? null
      if (one === null) throw await notFoundOrNotOwner(ports, id)
      return verifyInline(one, ports.hashing.sha256)
    }),
  )
}
