import { text } from '../../../../texts/text.js'
import { TextField } from '../../kit/text-field.js'

/** The name that programs use in place of the id. */
export function NameField({ value, onChange }: { readonly value: string; onChange(value: string): void }) {
  return (
    <TextField
      label={text('snippets.name')}
      description={text('snippets.nameHint')}
      value={value}
      onChange={onChange}
      maxLength={100}
      pattern="[a-z0-9][a-z0-9._\-]*"
      isMonospaced
    />
  )
}
