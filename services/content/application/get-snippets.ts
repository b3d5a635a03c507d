import type { Snippet } from '../domain/snippet.js'
import type { ContentPorts, SnippetWish, WithData } from '../ports.js'
import { verifyInline } from './verify-inline.js'
import { whoseSnippet } from './whose-snippet.js'

/**
 * What `getSnippet` gives or throws for each of these wishes, in their order, with one question to the store.
 * @throws what the store throws; then there is no answer to any of them.
 */
export async function getSnippets(
  ports: Pick<ContentPorts, 'snippets' | 'hashing'>,
  wishes: readonly SnippetWish[],
): Promise<readonly PromiseSettledResult<WithData<Snippet>>[]> {
  const found = await ports.snippets.findAll(wishes)
  return Promise.allSettled(
    wishes.map(async ({ id }, index) => {
      const one = found[index] ?? null
      if (one === null) throw await whoseSnippet(ports, id)
      return verifyInline(ports, one)
    }),
  )
}
