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
  isChip = false,
}: {
  readonly label: string
  readonly choices: readonly Choice<Id>[]
  readonly value: Id
  onChange(value: Id): void
  readonly isLabelHidden?: boolean
  /** Small and round, among filters. */
  readonly isChip?: boolean
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
      <Button
        className={isChip ? 'input select chip' : 'input select'}
        data-chosen={isChip && value !== choices[0]?.id}
      >
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
