import { text } from '../../../../texts/text.js'
import { PageHeading } from '../../frame/page-heading.js'

/** The section of the dashboard at `/dashboard/keys`. */
export function KeysPage() {
  return <PageHeading title={text('frame.keys')} />
}
