import { text } from '../../../texts/text.js'
import { PageHeading } from '../frame/page-heading.js'
import { ButtonLink } from '../kit/button-link.js'

export function NotFoundPage() {
  return (
    <>
      <PageHeading title={text('status.missing')} about={text('frame.notFoundAbout')} />
      <ButtonLink href="/snippets">{text('frame.toSnippets')}</ButtonLink>
    </>
  )
}
