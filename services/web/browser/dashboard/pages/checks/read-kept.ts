import { type Check, ProblemError, type RawData, type Snipkeep } from '#sdk/exports.js'
import { isMissing } from '../../kit/describe-problem.js'

/** Which of the data of a check are still kept. */
export interface KeptData {
  readonly candidate: boolean
  /** False, too, if there never was one. */
  readonly baseline: boolean
}

/** Whether there is something to read; other refusals are for whoever shows it. */
async function isThere(read: Promise<RawData>): Promise<boolean> {
  try {
    await (await read).body.cancel()
    return true
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return !isMissing(error)
  }
}

/** Asks for one byte of each: versions are deleted when there are many, and with them what became one. */
export async function readKept(
  { checks, snippets }: Pick<Snipkeep, 'checks' | 'snippets'>,
  {
    id,
    snippet_id: snippet,
    baseline_version: version,
  }: Pick<Check, 'id' | 'snippet_id' | 'baseline_version'>,
  options: { readonly signal: AbortSignal },
): Promise<KeptData> {
  const firstByte = { ...options, range: { start: 0, end: 0 } }
  const [candidate, baseline] = await Promise.all([
    isThere(checks.raw(id, firstByte)),
    snippet !== null && version !== null && isThere(snippets.revisionRaw(snippet, version, firstByte)),
  ])
  return { candidate, baseline }
}
