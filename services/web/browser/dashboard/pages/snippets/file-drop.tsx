import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { text } from '../../../../texts/text.js'

function carriesFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}

/** Accepts a file dropped anywhere on the page. The dialog's file chooser serves the keyboard. */
export function FileDrop({ onFile, children }: { onFile: (file: File) => void; children: ReactNode }) {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent(onFile)
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
      const file = event.dataTransfer?.files[0]
      if (file !== undefined) take(file)
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
          <span>{text('snippets.dropNow')}</span>
        </div>
      )}
    </>
  )
}
