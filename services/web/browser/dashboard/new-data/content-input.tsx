import { useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { readableSize } from '#libs/core/readable-text.js'
import { text } from '../../../texts/text.js'
import { Button } from '../kit/button.js'
import { Icon } from '../kit/icon.js'
import { Notice } from '../kit/notice.js'
import { TextField } from '../kit/text-field.js'
import { type NewContent, readFile } from './new-content.js'

function Chooser({ label, onFile }: { label: string; onFile: (file: File) => void }) {
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

/** An input for content: pasted text or a text file. */
export function ContentInput({
  content,
  onChange,
}: {
  content: NewContent
  onChange: (content: NewContent) => void
}) {
  const [isBroken, setBroken] = useState(false)
  const take = (file: File): void => {
    readFile(file).then(
      (read) => {
        setBroken(false)
        onChange(read)
      },
      () => setBroken(true),
    )
  }
  const problem = isBroken ? <Notice tone="warning">{text('snippets.notText')}</Notice> : null
  if (content.fileName !== '')
    return (
      <>
        <div className="chosen-file">
          <Icon name="snippets" />
          <span className="chosen-name">
            {text('snippets.file', {
              name: content.fileName,
              size: readableSize(new Blob([content.text]).size),
            })}
          </span>
          <Chooser label={text('snippets.otherFile')} onFile={take} />
        </div>
        {problem}
      </>
    )
  return (
    <>
      <TextField
        label={text('snippets.paste')}
        value={content.text}
        onChange={(pasted) => onChange({ fileName: '', text: pasted })}
        rows={9}
        isMonospaced
        autoFocus
      />
      <div className="press-row">
        <Chooser label={text('snippets.choose')} onFile={take} />
      </div>
      {problem}
    </>
  )
}
