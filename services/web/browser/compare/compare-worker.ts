import { serveDocument } from '../document/serve-document.js'
import type { ListedBreak } from './broken-changes.js'
import type { ChosenOptions } from './compare-options.js'
import { readComparison } from './read-comparison.js'
import { receiveSides, type WantedSide } from './receive-sides.js'

// The worker of one comparison: it receives both documents, compares them and runs the queries of the page.

/** What the worker compares for the page. */
export interface WantedComparison {
  readonly sides: readonly [WantedSide, WantedSide]
  readonly options: ChosenOptions
  readonly breaks: readonly ListedBreak[]
}

serveDocument(async ({ sides, options, breaks }: WantedComparison, onProgress) => {
  const [a, b] = await receiveSides(fetch, sides, options, onProgress)
  const totalBytes = a.length + b.length
  const report = (share: number): void =>
    onProgress({ phase: 'comparing', receivedBytes: share * totalBytes, totalBytes })
  report(0)
  return readComparison(a, b, options, breaks, report)
})
