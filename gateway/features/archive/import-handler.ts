import { DomainError } from '#libs/core/domain-error.js'
import { TarError } from '#libs/tar/tar-format.js'
import { unsupportedEncoding, unsupportedMediaType } from '../../body/body-errors.js'
import { parseQuery } from '../../body/parse-fields.js'
import type { AccountHandler } from '../../request/request-context.js'
import { archiveIncomplete, archiveInvalid } from './archive-format.js'
import * as schemas from './archive-schemas.js'
import { recordTask } from './export-handler.js'
import { importArchive } from './import-archive.js'
import type { ImportDependencies } from './import-items.js'
import { reserveMemory } from './import-memory.js'
import { createImportResults, type ImportResults, importedBefore } from './import-results.js'
import { archiveBytesMax, openArchive } from './import-source.js'

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
