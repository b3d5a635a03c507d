import { useSyncExternalStore } from 'react'
import { text } from '../../../texts/text.js'
import { Icon } from '../kit/icon.js'

function subscribe(listener: () => void): () => void {
  const names = ['online', 'offline'] as const
  for (const name of names) addEventListener(name, listener)
  return () => {
    for (const name of names) removeEventListener(name, listener)
  }
}

/** Says that there is no network, as long as there is none: what is shown stays readable. */
export function OfflineBar() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status" className="offline-bar">
      {!isOnline && (
        <p>
          <Icon name="warning" />
          {text('frame.offlineBar')}
        </p>
      )}
    </div>
  )
}
