import type { ImportResult } from './generated/types.js'
import { ConnectionError, problemOf } from './problem-error.js'

/** What an import did. */
export interface ImportReport {
  readonly items: readonly ImportResult[]
  readonly summary: Readonly<Record<ImportResult['result'], number>>
}

type Line = ImportResult & Partial<Pick<ImportReport, 'summary'>> & { readonly result?: string }

/**
 * The report in the lines of a response.
 * @throws ProblemError if the import failed after its response had begun; ConnectionError if the response is cut.
 */
export async function importReport(text: string): Promise<ImportReport> {
  const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
  const last = lines.pop()
  if (last?.summary !== undefined) return { items: lines, summary: last.summary }
  if (last?.problem === undefined || last.path !== undefined)
    throw new ConnectionError('The response to the import is incomplete.')
  const { status } = last.problem as { readonly status: number }
  const headers = { 'Content-Type': 'application/problem+json' }
  throw await problemOf(new Response(JSON.stringify(last.problem), { status, headers }))
}
