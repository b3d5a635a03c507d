import { Checkbox, CheckboxGroup, FieldError, Label } from 'react-aria-components'
import { Icon } from './icon.js'

/** Something that can be chosen or not. */
export interface CheckChoice<Id extends string> {
  readonly id: Id
  readonly label: string
  readonly about: string
}

/** Any of several. */
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
  /** What is wrong with what is chosen. */
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
