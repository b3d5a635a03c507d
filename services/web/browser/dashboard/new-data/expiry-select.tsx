import { text } from '../../../texts/text.js'
import { exactMoment } from '../kit/moment.js'
import { Select } from '../kit/select.js'
import { endOf, expiryChoices } from './share-expiry.js'

/** A choice of how long a share lives, with the date it expires. */
export function ExpirySelect({
  ttlDays,
  value,
  onChange,
}: {
  /** The plan's maximum; `null` is unlimited. */
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
