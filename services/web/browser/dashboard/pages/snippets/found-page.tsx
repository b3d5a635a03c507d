import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { PageHeading } from '../../frame/page-heading.js'
import { isMissing } from '../../kit/describe-problem.js'
import { Icon } from '../../kit/icon.js'
import { type Loadable, Loaded } from '../../kit/loaded.js'
import { EmptyState } from '../../kit/states.js'

/** A page about something that may be gone, below a link back. */
export function FoundPage<Data>({
  query,
  back,
  gone,
  children,
}: {
  readonly query: Loadable<Data>
  readonly back: { readonly href: string; readonly name: string }
  readonly gone: { readonly title: string; readonly about: string; readonly action?: ReactNode }
  children(data: Data): ReactNode
}) {
  const isGone = query.data === undefined && isMissing(query.error)
  return (
    <>
      <Link href={back.href} className="back">
        <Icon name="back" />
        {back.name}
      </Link>
      {isGone ? (
        <>
          <PageHeading title={gone.title} />
          <EmptyState icon="snippets" title={gone.about} action={gone.action} />
        </>
      ) : (
        <Loaded query={query}>{children}</Loaded>
      )}
    </>
  )
}
