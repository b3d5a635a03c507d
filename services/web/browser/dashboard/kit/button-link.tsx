import type { ReactNode } from 'react'
import { Link } from 'react-aria-components'
import { text } from '../../../texts/text.js'

/** A link to the API documentation, which is outside the dashboard: the router must not handle it. */
export function ApiDocsLink() {
  return (
    <a className="press press-secondary press-normal" href="/api/docs">
      <span className="press-content">{text('frame.apiDocs')}</span>
    </a>
  )
}

/** A link that looks like a button, to a page of ours or elsewhere. */
export function ButtonLink({
  href,
  variant = 'secondary',
  size = 'normal',
  children,
}: {
  readonly href: string
  readonly variant?: 'primary' | 'secondary' | 'quiet'
  readonly size?: 'normal' | 'small'
  readonly children: ReactNode
}) {
  return (
    <Link href={href} className={`press press-${variant} press-${size}`}>
      <span className="press-content">{children}</span>
    </Link>
  )
}
