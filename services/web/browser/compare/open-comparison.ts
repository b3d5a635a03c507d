import type { DocumentReader, DocumentSource, Progress } from '../document/document-reader.js'
import { workerReader } from '../document/worker-reader.js'
import { scriptAddress } from '../script-address.js'
import type { ListedBreak } from './broken-changes.js'
import type { ChosenOptions } from './compare-options.js'
import type { WantedComparison } from './compare-worker.js'
import workerUrl from './compare-worker.ts?worker&url'
import type { OpenedComparison } from './read-comparison.js'
import type { WantedSide } from './receive-sides.js'

/** One of the two documents: something that is fetched, or a file that stays in the browser. */
export type ComparedSide = DocumentSource | Blob

async function wantedSide(side: ComparedSide): Promise<WantedSide> {
  if (side instanceof Blob) return { kind: 'file', file: side }
  const { rawPath, sizeBytes } = side
  return { kind: 'fetched', wanted: { rawPath, sizeBytes, headers: await side.headers() } }
}

/** Compares two documents in a worker of its own. Closing the reader ends it, also while it compares. */
export function openComparison(
  [a, b]: readonly [ComparedSide, ComparedSide],
  options: ChosenOptions,
  breaks: readonly ListedBreak[],
  onProgress: (progress: Progress) => void,
): DocumentReader<OpenedComparison> {
  const worker = new Worker(scriptAddress(workerUrl), { type: 'module' })
  const source = Promise.all([wantedSide(a), wantedSide(b)]).then(
    (sides): WantedComparison => ({ sides, options, breaks }),
  )
  return workerReader({ worker, source, onProgress })
}
