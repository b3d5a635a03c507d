import { text } from '../../../../texts/text.js'
import { Select } from '../../kit/select.js'
import { TextField } from '../../kit/text-field.js'
import { type ExpiryChoice, offeredDays } from './key-expiry.js'

const choices: readonly { readonly id: ExpiryChoice; readonly label: string }[] = [
  ...offeredDays.map((count) => ({ id: `${count}` as const, label: text('keys.days', { count }) })),
  { id: 'never', label: text('keys.never') },
  { id: 'date', label: text('keys.onDate') },
]

/** What was chosen as the end of a key: one of the offers, and for a date of one's own the last day. */
export interface ChosenExpiry {
  readonly choice: ExpiryChoice
  readonly lastDay: string
}

/** Asks until when a key shall work. */
export function KeyExpiryField({
  value,
  onChange,
  error,
}: {
  readonly value: ChosenExpiry
  onChange(value: ChosenExpiry): void
  /** What is wrong with the last day, if it is to be said. */
  readonly error: string | null
}) {
  return (
    <>
      <Select
        label={text('keys.expiry')}
        choices={choices}
        value={value.choice}
        onChange={(choice) => onChange({ ...value, choice })}
      />
      {value.choice === 'date' && (
        <TextField
          label={text('keys.date')}
          type="date"
          value={value.lastDay}
          onChange={(lastDay) => onChange({ ...value, lastDay })}
          error={error}
        />
      )}
    </>
  )
}
