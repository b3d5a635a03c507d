import { text } from '../../../../texts/text.js'
import { PageHeading } from '../../frame/page-heading.js'

/** The section of the dashboard at `/dashboard/plan`. */
export function PlanPage() {
  return <PageHeading title={text('frame.plan')} />
}
