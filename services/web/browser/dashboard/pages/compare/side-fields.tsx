import { FileTrigger } from 'react-aria-components'
import { readableSize } from '#libs/core/readable-text.js'
import { text } from '../../../../texts/text.js'
import { Button } from '../../kit/button.js'
import { Icon } from '../../kit/icon.js'
import { TextField } from '../../kit/text-field.js'

/** What someone has entered for one side: something of ours by name, a file, or pasted text. */
export interface SideInput {
  readonly reference: string
  readonly file: File | null
  readonly pasted: string
}

/** The fields of one side. A file or pasted text counts before a name, and stays in the browser. */
export function SideFields({
  label,
  side,
  onChange,
}: {
  readonly label: string
  readonly side: SideInput
  onChange(side: SideInput): void
}) {
  const { reference, file, pasted } = side
  return (
    <fieldset className="compare-side">
      <legend>{label}</legend>
      {file === null ? (
        <>
          <TextField
            label={text('compare.reference')}
            description={text('compare.referenceHint')}
            value={reference}
            onChange={(typed) => onChange({ ...side, reference: typed })}
            isDisabled={pasted !== ''}
          />
          <TextField
            label={text('compare.paste')}
            description={text('compare.staysHere')}
            value={pasted}
            onChange={(typed) => onChange({ ...side, pasted: typed })}
            rows={3}
            isMonospaced
          />
        </>
      ) : (
        <div className="chosen-file">
          <Icon name="snippets" />
          <span className="chosen-name">
            {text('snippets.file', { name: file.name, size: readableSize(file.size) })}
          </span>
          <Button size="small" onPress={() => onChange({ ...side, file: null })}>
            {text('compare.noFile')}
          </Button>
        </div>
      )}
      <FileTrigger
        onSelect={(files) => {
          const chosen = files?.[0]
          if (chosen !== undefined) onChange({ ...side, file: chosen })
        }}
      >
        <Button size="small">
          <Icon name="up" />
          {text('snippets.choose')}
        </Button>
      </FileTrigger>
    </fieldset>
  )
}
