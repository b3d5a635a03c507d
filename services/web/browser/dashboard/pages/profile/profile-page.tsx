import { text } from '../../../../texts/text.js'
import { PageHeading } from '../../frame/page-heading.js'

/** The section of the dashboard at `/dashboard/profile`. */
export function ProfilePage() {
  return <PageHeading title={text('frame.profile')} />
}
