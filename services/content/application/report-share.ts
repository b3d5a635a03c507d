import { isGatedShareId } from '#shared/core/share-id.js'
import type { ShareId } from '../domain/ids.js'
import { draftReport } from '../domain/report.js'
import { shareNotFound } from '../domain/share.js'
import type { ContentPorts } from '../ports.js'
import { checkNotEnded, getShare } from './read-share.js'

type Ports = Pick<ContentPorts, 'shares' | 'gates' | 'hashing' | 'reports'>

async function checkReadable(ports: Ports, id: ShareId): Promise<void> {
  if (!isGatedShareId(id)) {
    await getShare(ports, id, false)
    return
  }
  const found = await ports.gates.find(id, { includeData: false, accessGrantDigest: null, accountId: null })
  if (found === null) throw shareNotFound()
  // Whoever had its last view may still read it, and report it.
  checkNotEnded({ ...found, access: 'grant' })
}

/**
 * Stores a report of a live share; others are answered as if they were read.
 * @throws DomainError `validation_failed`; `getShare`'s.
 */
export async function reportShare(ports: Ports, report: Parameters<typeof draftReport>[0]): Promise<void> {
  const draft = draftReport(report)
  await checkReadable(ports, draft.shareId)
  await ports.reports.add(draft)
}
