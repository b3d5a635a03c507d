import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { type TextName, text } from '../../../../texts/text.js'
import { useProfile } from '../../api/api-context.js'
import { PageHeading } from '../../frame/page-heading.js'
import { Loaded } from '../../kit/loaded.js'
import { NotFoundPage } from '../not-found-page.js'

const tabs: readonly { readonly path: string; readonly name: TextName }[] = [
  { path: '/operator', name: 'operator.reports' },
  { path: '/operator/accounts', name: 'operator.accounts' },
  { path: '/operator/acts', name: 'operator.acts' },
  { path: '/operator/queues', name: 'operator.queues' },
]

function Tabs() {
  const [path] = useLocation()
  return (
    <nav className="press-row" aria-label={text('operator.tabs')}>
      {tabs.map(({ path: target, name }) => {
        const isHere = path === target || (target !== '/operator' && path.startsWith(`${target}/`))
        const look = isHere ? 'press-primary' : 'press-secondary'
        return (
          <Link
            key={target}
            href={target}
            className={`press ${look} press-small`}
            aria-current={isHere ? 'page' : undefined}
          >
            <span className="press-content">{text(name)}</span>
          </Link>
        )
      })}
    </nav>
  )
}

/** A page of the operator's area; for everyone else there is none. */
export function OperatorArea({
  title,
  about,
  children,
}: {
  readonly title: string
  readonly about?: string
  readonly children: ReactNode
}) {
  const profile = useProfile()
  if (profile.data?.operator === false) return <NotFoundPage />
  return (
    <>
      <PageHeading title={title} about={about} />
      <Loaded query={profile} lines={3}>
        {() => (
          <>
            <Tabs />
            {children}
          </>
        )}
      </Loaded>
    </>
  )
}
