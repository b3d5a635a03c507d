import type { ReactNode } from 'react'
import { FileTrigger } from 'react-aria-components'
import { readableSize, text } from '../../../texts/text.js'
import { Button } from './button.js'
import { Icon } from './icon.js'

/** A button that chooses a file. */
export function FileChooser({ label, onFile }: { readonly label: string; onFile(file: File): void }) {
  return (
    <FileTrigger
      onSelect={(files) => {
        const file = files?.[0]
        if (file !== undefined) onFile(file)
      }}
    >
      <Button size="small">
        <Icon name="up" />
        {label}
      </Button>
    </FileTrigger>
  )
}

/** The file that was chosen, with what can be done about it. */
export function ChosenFile({
  name,
  size,
  children,
}: {
  readonly name: string
  readonly size: number
  readonly children: ReactNode
}) {
  return (
    <div className="chosen-file">
      <Icon name="snippets" />
      <span className="chosen-name">{text('snippets.file', { name, size: readableSize(size) })}</span>
      {children}
    </div>
  )
}
