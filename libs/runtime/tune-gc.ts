import { setFlagsFromString } from 'node:v8'

/** How much the heap may grow, in percent of live data, before a full collection. */
const growthPercent = 400

/**
 * Makes full collections rarer, for a process that passes on many bytes but keeps few. V8 counts memory outside its
 * heap as growth, so with a heap of 15 MB every 10 or 20 MB would trigger a full collection, which took up to half of
 * the processor time of a document of 50 MB. Figures are in bench/results/2026-11-21-large-documents.md.
 */
export function tuneGc(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
}
