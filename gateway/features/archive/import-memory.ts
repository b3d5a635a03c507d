import { setTimeout as passed } from 'node:timers/promises'
import { isUnavailability } from '#libs/core/domain-error.js'
import { type UploadBudget, uploadWindowBytes } from '../../body/upload-budget.js'
import { RequestAborted } from '../../request/request-context.js'

/** The report, what is known of lists, and one piece of data. */
const reservedBytes = 8 * uploadWindowBytes
/** What the records of a list take until their data has come, measured with the smallest records there are. */
const bytesPerListByte = 5
/** How long a list waits for memory, and how often it asks. */
const patience = { waitMs: 60_000, retryMs: 1_000 }

/** @throws DomainError `unavailable` if uploads take too much now. */
export function reserveMemory(
  uploads: Pick<UploadBudget, 'reserveMore'>,
  signal: AbortSignal,
  { waitMs, retryMs }: typeof patience = patience,
) {
  const releaseOwn = uploads.reserveMore(reservedBytes)
  let releaseList = (): void => {}
  return {
    /**
     * Resolves once there is memory for the records of a list, instead of those of the list before.
     * @throws DomainError `unavailable` if there is none for a minute, RequestAborted if the caller has gone.
     */
    async hold(listBytes: number) {
      releaseList()
      releaseList = () => {}
      for (let waitedMs = 0; ; waitedMs += retryMs) {
        try {
          releaseList = uploads.reserveMore(listBytes * bytesPerListByte)
          return
        } catch (error) {
          if (!isUnavailability(error) || waitedMs >= waitMs) throw error
        }
        if (signal.aborted) throw new RequestAborted()
        await passed(retryMs)
      }
    },
    release() {
      releaseList()
      releaseOwn()
    },
  }
}

/** The memory of one import, as a part of what uploads may take. */
export type ImportMemory = Readonly<ReturnType<typeof reserveMemory>>
