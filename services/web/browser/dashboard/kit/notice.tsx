import type { ReactNode } from 'react'
import { Icon } from './icon.js'

/** A notice in the page; warnings are announced immediately. */
export function Notice({
  tone = 'info',
  children,
}: {
  tone?: 'info' | 'warning' | 'problem'
  children: ReactNode
}) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'info' ? 'note' : 'alert'}>
      <Icon name={tone === 'info' ? 'info' : 'warning'} />
      <div className="notice-content">{children}</div>
    </div>
  )
}
