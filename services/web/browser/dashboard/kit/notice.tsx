import type { ReactNode } from 'react'
import { Icon } from './icon.js'

/** A notice in the page; warnings are announced immediately. */
export function Notice({ tone = 'info', children }: { tone?: 'info' | 'warning'; children: ReactNode }) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'warning' ? 'alert' : 'note'}>
      <Icon name={tone} />
      <div className="notice-content">{children}</div>
    </div>
  )
}
