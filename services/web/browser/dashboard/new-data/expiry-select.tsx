import { text } from '../../../texts/text.js'
import { exactMoment } from '../kit/moment.js'
import { Select } from '../kit/select.js'
import { endOf, expiryChoices } from './share-expiry.js'

/** How long a share shall live, and when that ends. */
export function ExpirySelect({
  ttlDays,
  value,
  onChange,
}: {
  /** What the plan allows; `null` is for ever. */
  readonly ttlDays: number | null
  readonly value: string
  onChange(value: string): void
}) {
  const end = endOf(value, ttlDays, Date.now())
  return (
    <div className="field">
      <Select
        label={text('snippets.expires')}
        choices={expiryChoices(ttlDays)}
        value={value}
        onChange={onChange}
      />
      <p className="hint" role="status">
        {end === null ? text('snippets.endsNever') : text('snippets.endsAt', { when: exactMoment(end) })}
      </p>
    </div>
  )
}
