import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { takeDrops } from '../../../take-drops.js'

/** Takes files that are dropped anywhere on the page. With the keyboard a file is chosen in a dialog instead. */
export function FileDrop({
  onFiles,
  label,
  children,
}: {
  onFiles(files: readonly File[]): void
  /** What dropping them does. */
  readonly label: string
  readonly children: ReactNode
}) {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent(onFiles)
  useEffect(() => takeDrops(setOver, (files) => take(files)), [])
  return (
    <>
      {children}
      {isOver && (
        <div className="file-drop" aria-hidden="true">
          <span>{label}</span>
        </div>
      )}
    </>
  )
}
