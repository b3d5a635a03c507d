import { DomainError } from '#libs/core/domain-error.js'
import { readTar } from '#libs/tar/read-tar.js'
import { TarError } from '#libs/tar/tar-format.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { type BodyTimeLimits, createRequestBytes } from '../../body/body-bytes.js'
import { createInflatedBytes } from '../../body/inflated-bytes.js'
import { type Caller, RequestAborted, type RequestContext } from '../../request/request-context.js'
import { archiveTooLarge } from './archive-format.js'

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
