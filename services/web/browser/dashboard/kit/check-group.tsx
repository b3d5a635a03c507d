import { Checkbox, CheckboxGroup, FieldError, Label } from 'react-aria-components'
import { Icon } from './icon.js'

export interface CheckChoice<Id extends string> {
  readonly id: Id
  readonly label: string
  readonly about: string
}

/** A group of checkboxes. */
export function CheckGroup<Id extends string>({
  label,
  choices,
  value,
  onChange,
  error,
}: {
  readonly label: string
  readonly choices: readonly CheckChoice<Id>[]
  readonly value: readonly Id[]
  onChange(value: readonly Id[]): void
  /** The validation error. */
  readonly error: string | null
}) {
  return (
    <CheckboxGroup
      className="field"
      value={[...value]}
      isInvalid={error !== null}
      onChange={(chosen) => onChange(choices.map(({ id }) => id).filter((id) => chosen.includes(id)))}
    >
      <Label>{label}</Label>
      {choices.map(({ id, label: name, about }) => (
        <Checkbox key={id} value={id} className="check">
          <span className="check-box" aria-hidden="true">
            <Icon name="check" />
          </span>
          <span>
            <span className="check-name">{name}</span> <span className="hint">{about}</span>
          </span>
        </Checkbox>
      ))}
      <FieldError className="field-error">{error}</FieldError>
    </CheckboxGroup>
  )
}
