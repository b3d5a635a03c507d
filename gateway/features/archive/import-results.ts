import type { ServerResponse } from 'node:http'
import { DomainError, type ErrorDetails } from '#libs/core/domain-error.js'
import { createReaderPace, defaultReaderPace, type ReaderPaceRules } from '../../http/reader-pace.js'
import { toProblem } from '../../request/problem.js'
import { RequestAborted } from '../../request/request-context.js'

/** What happened to an item of an archive. */
export type ItemResult = 'created' | 'exists' | 'skipped' | 'refused'

const ofItem: ReadonlySet<string> = new Set(['invalid', 'forbidden', 'conflict', 'too-large', 'not-found'])

/** Whether an error is about one item, such as its size or a limit. */
export function concernsItem(error: unknown): error is DomainError {
  return error instanceof DomainError && ofItem.has(error.kind)
}

function briefly({ code, message }: DomainError): object {
  return { code, detail: message }
}

/** What the error of a whole import says of the items before it. */
export function importedBefore(results: ImportResults): ErrorDetails {
  const { created, exists } = results.counts()
  return { imported: created, existing: exists }
}

/** How much of the lines waits in memory. A client that sends first and reads later can have no more. */
const waitingBytesMax = 4_194_304
/** Lines for a client that is behind are sent together: thousands of small writes would take twice the memory. */
const togetherBytes = 65_536
/** The lists of errors in all lines together; beyond this, a problem has only code and detail. */
const errorBytesMax = 4_194_304
/** A client may do something else first. */
const readerPace: ReaderPaceRules = { ...defaultReaderPace, afterMs: 60_000 }

/** Resolves once everything written has been sent, or the client has gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}

/**
 * Lines are sent at the end, because the status depends on the whole archive, unless that takes too long or too much
 * memory.
 */
export function createImportResults(response: ServerResponse, requestId: string) {
  const counts: Record<ItemResult, number> = { created: 0, exists: 0, skipped: 0, refused: 0 }
  let lines: string[] = []
  let [waitingBytes, errorBytes] = [0, 0]
  const pace = createReaderPace(response, readerPace)
  const send = (line: object): void => {
    const text = `${JSON.stringify(line)}\n`
    lines.push(text)
    waitingBytes += text.length
    if (response.headersSent && (response.writableLength === 0 || waitingBytes >= togetherBytes)) flush()
  }
  const flush = (): void => {
    response.write(lines.join(''))
    pace.took(waitingBytes)
    lines = []
    waitingBytes = 0
  }
  const begin = (headers: Readonly<Record<string, string | number>> = {}): void => {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8', ...headers })
  }
  const problemOf = (error: unknown): unknown => JSON.parse(toProblem(error, requestId).body)
  const listed = (error: DomainError): unknown => {
    const { errors } = error.details
    errorBytes += errors === undefined ? 0 : JSON.stringify(errors).length
    return errors === undefined || errorBytes <= errorBytesMax ? problemOf(error) : briefly(error)
  }
  const beginEarly = (): void => {
    if (response.headersSent || response.destroyed) return
    begin({ Connection: 'close' })
    flush()
  }
  return {
    /** @param more an id and what there is to know of it, or the reason for `skipped`. */
    add(path: string, result: Exclude<ItemResult, 'refused'>, more: Readonly<Record<string, unknown>> = {}) {
      counts[result] += 1
      send({ path, result, ...more })
    },
    /**
     * Records an item that is refused for its own sake.
     * @param more its id, if the path does not say it.
     * @throws the error itself if it concerns the whole import.
     */
    refuse(path: string, error: unknown, more: Readonly<Record<string, unknown>> = {}) {
      if (!concernsItem(error)) throw error
      counts.refused += 1
      send({ path, result: 'refused', ...more, problem: listed(error) })
    },
    /** Records an item that is refused for what an earlier line has in full. */
    refuseAgain(path: string, error: DomainError) {
      counts.refused += 1
      send({ path, result: 'refused', problem: briefly(error) })
    },
    counts: () => counts,
    /** Begins to send the lines, so that nobody on the way gives up on a long import. */
    begin: beginEarly,
    /**
     * Resolves once there is memory for further lines: many are sent early, and then only as fast as the client reads.
     * @throws RequestAborted if the client has gone, or does not read.
     */
    async room() {
      if (waitingBytes > waitingBytesMax) beginEarly()
      if (!response.headersSent || response.writableLength <= waitingBytesMax) return
      pace.waits(0)
      if (!response.destroyed) await drained(response)
      pace.resumes()
      if (response.destroyed) throw new RequestAborted()
    },
    /** Sends the remaining lines and the summary. */
    finish(dryRun: boolean) {
      pace.stop()
      send({ summary: counts, dry_run: dryRun })
      const text = lines.join('')
      if (!response.headersSent) begin({ 'Content-Length': Buffer.byteLength(text) })
      response.end(text)
    },
    /**
     * Ends a response that has begun with the problem as its last line.
     * @throws the error itself if it has not begun.
     */
    fail(error: unknown) {
      pace.stop()
      if (!response.headersSent || response.destroyed) throw error
      send({ problem: problemOf(error) })
      response.end(lines.join(''))
    },
  }
}

/** Collects the lines of the response. */
export type ImportResults = Readonly<ReturnType<typeof createImportResults>>
