import {
  Select as AriaSelect,
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
} from 'react-aria-components'
import { Icon } from './icon.js'

export interface Choice<Id extends string> {
  readonly id: Id
  readonly label: string
}

/** A drop-down list. */
export function Select<Id extends string>({
  label,
  choices,
  value,
  onChange,
  isLabelHidden = false,
}: {
  readonly label: string
  readonly choices: readonly Choice<Id>[]
  readonly value: Id
  onChange(value: Id): void
  readonly isLabelHidden?: boolean
}) {
  return (
    <AriaSelect
      className="field"
      value={value}
      onChange={(key) => {
        const chosen = choices.find(({ id }) => id === key)
        if (chosen !== undefined) onChange(chosen.id)
      }}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
    >
      {!isLabelHidden && <Label>{label}</Label>}
      <Button className="input select">
        <SelectValue className="select-value" />
        <Icon name="down" />
      </Button>
      <Popover className="popover">
        <ListBox className="choices" items={choices}>
          {(choice) => (
            <ListBoxItem id={choice.id} textValue={choice.label} className="choice">
              {choice.label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
