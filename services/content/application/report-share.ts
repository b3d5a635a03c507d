import { draftReport } from '../domain/report.js'
import type { ContentPorts } from '../ports.js'
import { getShare } from './get-share.js'

/**
 * Stores a report of a live share; others are answered as if they were read.
 * @throws DomainError `validation_failed`; `getShare`'s.
 */
export async function reportShare(
  ports: Pick<ContentPorts, 'shares' | 'hashing' | 'reports'>,
  report: Parameters<typeof draftReport>[0],
): Promise<void> {
  const draft = draftReport(report)
  await getShare(ports, draft.shareId, false)
  await ports.reports.add(draft)
}
