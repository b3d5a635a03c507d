import { DomainError } from '#libs/core/domain-error.js'
import { readTar } from '#libs/tar/read-tar.js'
import { TarError } from '#libs/tar/tar-format.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { type BodyTimeLimits, createRequestBytes } from '../../body/body-bytes.js'
import { unsupportedEncoding, unsupportedMediaType } from '../../body/body-errors.js'
import { createInflatedBytes } from '../../body/inflated-bytes.js'
import { parseQuery } from '../../body/parse-fields.js'
import {
  type AccountHandler,
  type Caller,
  RequestAborted,
  type RequestContext,
} from '../../request/request-context.js'
import { archiveIncomplete, archiveInvalid, archiveTooLarge } from './archive-format.js'
import * as schemas from './archive-schemas.js'
import { recordTask } from './export-handler.js'
import { importArchive } from './import-archive.js'
import type { ImportDependencies } from './import-items.js'
import { reserveMemory } from './import-memory.js'
import { createImportResults, type ImportResults, importedBefore } from './import-results.js'

/** Lists and headers; data counts for the storage of the plan. */
const overheadBytes = 268_435_456
/** For a plan without a limit of storage. */
const unlimitedBytes = 1_099_511_627_776

/** How much an archive of this caller may unpack to: twice what the account may store, and its lists. */
export function archiveBytesMax(plans: PlanCatalogue, { plan }: Pick<Caller, 'plan'>): number {
  const { storedBytes } = plans[plan]
  return storedBytes === null ? unlimitedBytes : 2 * storedBytes + overheadBytes
}

/** An archive may come straight from an export, which is slow while its items are small. */
const timeLimits: BodyTimeLimits = { idleMs: 60_000, minBytesPerSecond: 2_000, afterMs: 60_000 }

/** Zlib's word for a stream that ends too early. */
const cutCode = 'Z_BUF_ERROR'

function isCut({ cause }: Error): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === cutCode
}

/**
 * Unpacks a gzipped archive as it arrives, only as fast as it is read.
 * Its `next` throws TarError for a damaged archive, and DomainError `archive_too_large` for one that unpacks to more.
 */
export function openArchive(
  { request, response }: Pick<RequestContext, 'request' | 'response'>,
  bytesMax: number,
) {
  const tooLarge = (): DomainError =>
    archiveTooLarge('The archive unpacks to far more than your account may store.', bytesMax)
  const inflated = createInflatedBytes(createRequestBytes(request, timeLimits), bytesMax, tooLarge)
  const gone = new RequestAborted()
  const onClose = (): void => inflated.stop(gone)
  response.once('close', onClose)
  let total = 0
  const pull = async (): Promise<Uint8Array | null> => {
    try {
      const chunk = await inflated.next()
      total += chunk?.length ?? 0
      if (total > bytesMax) throw tooLarge()
      return chunk
    } catch (error) {
      if (request.destroyed && !request.complete) throw gone
      if (!(error instanceof DomainError) || error.code !== 'malformed_json') throw error
      throw isCut(error)
        ? new TarError('truncated', 'The archive ends too early.')
        : new TarError('malformed', 'The archive is not a complete gzip stream.')
    }
  }
  return {
    tar: readTar(pull),
    /** Stops reading, also at the end. */
    stop() {
      response.off('close', onClose)
      inflated.stop(gone)
    },
  }
}

/** An archive that arrives as the body of a request. */
export type ArchiveSource = Readonly<ReturnType<typeof openArchive>>

const gzipTypes = /^application\/(gzip|x-gzip|octet-stream)$/

/** An import that takes longer responds with its lines as they come. */
const respondEarlyMs = 20_000

/** Adds to an error what was imported before it. */
function explain(error: unknown, missing: readonly string[], results: ImportResults): unknown {
  const known =
    error instanceof TarError
      ? error.reason === 'truncated'
        ? archiveIncomplete(missing)
        : archiveInvalid(null, `can't be read: ${error.message}`)
      : error
  if (!(known instanceof DomainError)) return known
  const { kind, code, message, details, cause } = known
  return new DomainError(kind, code, message, { ...details, ...importedBefore(results) }, { cause })
}

/** The handler of `POST /api/import`. */
export function importAccount(dependencies: ImportDependencies): AccountHandler {
  return async (context, caller) => {
    const query = parseQuery(schemas.importQuery, context.search)
    const { dry_run: dryRun, allow_secrets: allowSecrets } = query
    const { request, response } = context
    const howTo = 'Send the archive as it is, with Content-Type: application/gzip.'
    if (!gzipTypes.test(request.headers['content-type'] ?? ''))
      throw unsupportedMediaType(request, ['application/gzip'], howTo)
    if (!/^identity$/i.test(request.headers['content-encoding'] ?? 'identity'))
      throw unsupportedEncoding('identity', howTo)
    const task = await dependencies.archiveQuota.start('import', caller.accountId)
    let counts = false
    const releases = [() => task.end(counts)]
    const results = createImportResults(response, context.requestId)
    try {
      const memory = reserveMemory(dependencies.uploads, context.signal)
      releases.push(memory.release)
      counts = true
      if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue()
      const source = openArchive(context, archiveBytesMax(dependencies.plans, caller))
      const timer = setTimeout(results.begin, respondEarlyMs)
      releases.push(source.stop, () => clearTimeout(timer))
      await importArchive(
        { dependencies, context, caller, results, memory, dryRun, allowSecrets },
        source.tar,
        (error, missing) => explain(error, missing, results),
      )
      if (!dryRun) await recordTask(dependencies, context, caller, 'import', results.counts())
      results.finish(dryRun)
    } catch (error) {
      results.fail(error)
    } finally {
      for (const release of releases.reverse()) release()
    }
  }
}
