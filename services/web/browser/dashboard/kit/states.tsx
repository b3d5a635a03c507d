import type { ReactNode } from 'react'
import { text } from '../../../texts/text.js'
import { CopyButton } from './copy-button.js'
import { Icon, type IconName } from './icon.js'

/** An empty state: why it is empty, and what to do about it. */
export function EmptyState({
  icon,
  title,
  about,
  action,
  command,
}: {
  readonly icon: IconName
  readonly title: string
  readonly about?: string
  readonly action?: ReactNode
  /** A command that does the same in a terminal. */
  readonly command?: string
}) {
  return (
    <div className="state">
      <span className="state-icon">
        <Icon name={icon} />
      </span>
      <h2 className="state-title">{title}</h2>
      {about !== undefined && <p className="quiet">{about}</p>}
      {action}
      {command !== undefined && (
        <p className="state-command">
          <code className="mono">{command}</code>
          <CopyButton value={command} />
        </p>
      )}
    </div>
  )
}

/** A loading state with one bar per expected line. */
export function LoadingState({ lines = 5 }: { lines?: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="hidden">{text('kit.loading')}</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have nothing else to be distinguished by
        <span className="skeleton-line" key={line} aria-hidden="true" />
      ))}
    </div>
  )
}
