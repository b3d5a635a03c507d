import type { ReactNode } from 'react'
import { Link } from 'react-aria-components'

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
