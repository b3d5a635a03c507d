import type { ServerResponse } from 'node:http'
import { DomainError, type ErrorDetails } from '#libs/core/domain-error.js'
import { toProblem } from '../../http/problem.js'

/** What happened to an item of an archive. */
export type ItemResult = 'created' | 'exists' | 'skipped' | 'refused'

/** Collects the lines of the response. */
export interface ImportResults {
  /** @param more an id and what there is to know of it, or the reason for `skipped`. */
  add(path: string, result: Exclude<ItemResult, 'refused'>, more?: Readonly<Record<string, unknown>>): void
  /**
   * Records an item that is refused for its own sake.
   * @throws the error itself if it concerns the whole import.
   */
  refuse(path: string, error: unknown): void
  counts(): Readonly<Record<ItemResult, number>>
  /** Begins to send the lines, so that nobody on the way gives up on a long import. */
  begin(): void
  /** Sends the remaining lines and the summary. */
  finish(dryRun: boolean): void
  /**
   * Ends a response that has begun with the problem as its last line.
   * @throws the error itself if it has not begun.
   */
  fail(error: unknown): void
}

const ofItem: ReadonlySet<string> = new Set(['invalid', 'forbidden', 'conflict', 'too-large', 'not-found'])

/** Whether an error is about one item, such as its size or a limit. */
export function concernsItem(error: unknown): error is DomainError {
  return error instanceof DomainError && ofItem.has(error.kind)
}

/** What the error of a whole import says of the items before it. */
export function importedBefore(results: ImportResults): ErrorDetails {
  const { created, exists } = results.counts()
  return { imported: created, existing: exists }
}

/**
 * Lines are sent at the end, because the status depends on the whole archive, unless `begin` is called before. They
 * never wait for the client: a client that sends first and reads later would wait for ever.
 */
export function createImportResults(response: ServerResponse, requestId: string): ImportResults {
  const counts: Record<ItemResult, number> = { created: 0, exists: 0, skipped: 0, refused: 0 }
  let lines: string[] = []
  const send = (line: object): void => {
    const text = `${JSON.stringify(line)}\n`
    if (response.headersSent) response.write(text)
    else lines.push(text)
  }
  const begin = (headers: Readonly<Record<string, string | number>> = {}): void => {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8', ...headers })
  }
  const problemOf = (error: unknown): unknown => JSON.parse(toProblem(error, requestId).body)
  return {
    add(path, result, more = {}) {
      counts[result] += 1
      send({ path, result, ...more })
    },
    refuse(path, error) {
      if (!concernsItem(error)) throw error
      counts.refused += 1
      send({ path, result: 'refused', problem: problemOf(error) })
    },
    counts: () => counts,
    begin() {
      if (response.headersSent || response.destroyed) return
      begin({ Connection: 'close' })
      response.write(lines.join(''))
      lines = []
    },
    finish(dryRun) {
      send({ summary: counts, dry_run: dryRun })
      if (response.headersSent) {
        response.end()
        return
      }
      const text = lines.join('')
      begin({ 'Content-Length': Buffer.byteLength(text) })
      response.end(text)
    },
    fail(error) {
      if (!response.headersSent || response.destroyed) throw error
      send({ problem: problemOf(error) })
      response.end()
    },
  }
}
