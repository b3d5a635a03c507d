import type { Snippet } from '#proto/snipkeep/content/v1/snippet_service.js'

function times(snippet: Snippet): { created_at: string; updated_at: string } {
  const { createdAt, updatedAt } = snippet
  if (createdAt === undefined || updatedAt === undefined)
    throw new Error('content returned a snippet without times')
  return { created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() }
}

function identifiersOf({ id, name }: Snippet): { readonly id: string; readonly name?: string } {
  return name === '' ? { id } : { id, name }
}

/** Without `data`. */
export function snippetSummary(snippet: Snippet): Record<string, unknown> {
  const { tool, title, tags, sizeBytes } = snippet
  return { ...identifiersOf(snippet), tool, title, tags, size_bytes: sizeBytes, ...times(snippet) }
}

/** What the response to a write says about secrets in its data. */
export function wouldWarn(secrets: readonly unknown[]): { readonly would_warn_if_shared?: number } {
  return secrets.length === 0 ? {} : { would_warn_if_shared: secrets.length }
}

/** The whole body with one character per byte; `null` if the data is a document. */
export function snippetText(snippet: Snippet): string | null {
  if (snippet.data?.$case !== 'inline') return null
  const [before, after] = snippetEnvelope(snippet)
  return Buffer.concat([before, snippet.data.value, after]).toString('latin1')
}

/** The JSON text before and after `data`. */
export function snippetEnvelope(snippet: Snippet): readonly [Buffer, Buffer] {
  const { tool, title, tags, sizeBytes } = snippet
  const before = JSON.stringify({ ...identifiersOf(snippet), tool, title })
  const after = JSON.stringify({ tags, size_bytes: sizeBytes, ...times(snippet) })
  return [Buffer.from(`${before.slice(0, -1)},"data":`), Buffer.from(`,${after.slice(1)}`)]
}
