import { text } from '../../../../texts/text.js'
import { PageHeading } from '../../frame/page-heading.js'

/** The section of the dashboard at `/dashboard/history`. */
export function HistoryPage() {
  return <PageHeading title={text('frame.history')} />
}
