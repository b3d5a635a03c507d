import type { Snippet } from '../domain/snippet.js'
import { verifyInline } from '../domain/stored-data.js'
import type { ContentPorts, SnippetRead, WithData } from '../ports.js'
import { notFoundOrNotOwner } from './not-found-or-not-owner.js'

/** A read that is conditional on the ETag of what the caller has already; an empty one makes it unconditional. */
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
 * The owner's snippet for each of these reads, in their order; small data comes with it, checked against its SHA-256.
 * `null` stands for one whose ETag is the one that the caller knows.
 *
 * A read fails by itself with a DomainError `not_found` or `not_owner`, or with an Error when the database has lost or
 * changed its bytes.
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
