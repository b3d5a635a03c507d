import { text } from '../../../../texts/text.js'
import { PageHeading } from '../../frame/page-heading.js'

/** The section of the dashboard at `/dashboard/shares`. */
export function SharesPage() {
  return <PageHeading title={text('frame.shares')} />
}
