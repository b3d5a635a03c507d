import { text } from '../../../texts/text.js'
import { Select } from '../kit/select.js'
import { TextField } from '../kit/text-field.js'
import { type GateFields, viewChoices } from './share-gate.js'

/** The inputs for what stands before a new share. */
export function GateInputs({
  value,
  onChange,
}: {
  readonly value: GateFields
  onChange(value: GateFields): void
}) {
  return (
    <>
      <Select
        label={text('gates.views')}
        choices={viewChoices()}
        value={value.views}
        onChange={(views) => onChange({ ...value, views })}
      />
      <TextField
        label={text('gates.password')}
        description={text('gates.passwordHint')}
        value={value.password}
        onChange={(password) => onChange({ ...value, password })}
        minLength={8}
        maxLength={128}
        autoComplete="off"
        spellCheck="false"
      />
    </>
  )
}
