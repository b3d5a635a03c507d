import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'

function carriesFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}

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
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(false)
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length > 0) take(files)
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
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
