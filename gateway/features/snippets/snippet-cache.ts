import { metrics } from '#libs/telemetry/catalogue.js'
import type { Snippet } from '#proto/snipkeep/content/v1/snippet_service.js'
import { createVersionMemory, type VersionMemory } from '../../cache/revalidating-cache.js'

/** A snippet with small data as content told of it. */
export interface RememberedSnippet {
  readonly snippet: Snippet
  /** The answer that tells of it, a character for each byte. */
  readonly text: string
}

const bytesMax = 32 * 1024 * 1024
/** What a snippet takes beside its data and its answer, roughly. */
const overheadBytes = 1_024

/** A memory of 32 MiB of snippets. */
export function createSnippetMemory(): VersionMemory<RememberedSnippet> {
  return createVersionMemory({
    bytesMax,
    bytesOf: ({ snippet, text }) => overheadBytes + snippet.sizeBytes + text.length,
    lookups: metrics.snippetMemoryLookups,
  })
}
