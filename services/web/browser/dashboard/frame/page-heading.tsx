import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react'
import { text } from '../../../texts/text.js'

const closingMs = 100

/**
 * Focuses the page's heading when the focused element is gone for good, after the dialog above it has closed.
 */
export function focusHeading(): void {
  setTimeout(() => document.querySelector<HTMLElement>('#content h1')?.focus(), closingMs)
}

/** Whether the next heading belongs to a navigation rather than to the first page load. */
export const HasNavigated = createContext<RefObject<boolean>>({ current: false })

/**
 * The heading of a page, with its actions. It sets the document title and takes the focus after a navigation.
 */
export function PageHeading({
  title,
  count = null,
  about,
  children,
}: {
  readonly title: string
  /** How many of them there are; `null` while that is unknown. */
  readonly count?: number | null
  readonly about?: ReactNode
  readonly children?: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const hasNavigated = useContext(HasNavigated)
  useEffect(() => {
    if (hasNavigated.current) heading.current?.focus()
    hasNavigated.current = true
  }, [hasNavigated])
  useEffect(() => {
    document.title = text('frame.title', { page: title })
  }, [title])
  return (
    <div className="page-head">
      <div className="page-head-words">
        <div className="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {count !== null && <span className="count">{text('kit.number', { value: count })}</span>}
        </div>
        {about !== undefined && <div className="quiet">{about}</div>}
      </div>
      {children !== undefined && <div className="page-head-actions">{children}</div>}
    </div>
  )
}
