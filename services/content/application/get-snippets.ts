import type { Snippet } from '../domain/snippet.js'
import type { ContentPorts, KnownSnippet, SnippetWish, WithData } from '../ports.js'
import { verifyInline } from './verify-inline.js'
import { whoseSnippet } from './whose-snippet.js'

/**
 * The owner's snippet for each of these wishes, in their order; small data comes with it, checked against its SHA-256.
 * `null` stands for one that still has the version that is known.
 *
 * Each that cannot be had is rejected with a DomainError `not_found` or `not_owner`, or an Error when the database has
 * lost or changed its bytes.
 * @throws what the store throws; then there is no answer to any of them.
 */
export async function getSnippets(
  ports: Pick<ContentPorts, 'snippets' | 'hashing'>,
  wishes: readonly (SnippetWish & KnownSnippet)[],
): Promise<readonly PromiseSettledResult<WithData<Snippet> | null>[]> {
  const { snippets } = ports
  const unchanged = await snippets.findUnchanged(wishes)
  const left = wishes.filter((_wish, index) => unchanged[index] !== true)
  const found = (left.length === 0 ? [] : await snippets.findAll(left)).values()
  return Promise.allSettled(
    wishes.map(async ({ id }, index) => {
      if (unchanged[index] === true) return null
      const one = found.next().value ?? null
      if (one === null) throw await whoseSnippet(ports, id)
      return verifyInline(ports, one)
    }),
  )
}
