import type { ReactNode } from 'react'
import { Icon } from './icon.js'

/** Something that should be known here; a warning is told at once. */
export function Notice({ tone = 'info', children }: { tone?: 'info' | 'warning'; children: ReactNode }) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'warning' ? 'alert' : 'note'}>
      <Icon name={tone} />
      <div className="notice-content">{children}</div>
    </div>
  )
}
