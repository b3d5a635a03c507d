import { text } from '../../../../texts/text.js'
import { PageHeading } from '../../frame/page-heading.js'

/** The section of the dashboard at `/dashboard/snippets`. */
export function SnippetsPage() {
  return <PageHeading title={text('frame.snippets')} />
}
