import { Meter as AriaMeter, Label } from 'react-aria-components'
import type { Profile } from '#sdk/exports.js'
import { readableSize, text } from '../../../../texts/text.js'

/** Shows how much of a limit is used; `null` is unlimited. `write` formats a number with its unit. */
function Meter({
  label,
  used,
  limit,
  write = (value) => text('kit.number', { value }),
}: {
  readonly label: string
  readonly used: number
  readonly limit: number | null
  write?(value: number): string
}) {
  const words =
    limit === null
      ? text('kit.unlimited', { used: write(used) })
      : text('kit.ofLimit', { used: write(used), limit: write(limit) })
  const share = limit === null || limit === 0 ? 0 : Math.min(1, used / limit)
  // Rounded: a few bytes of a terabyte would print as 6.5e-7, which is not a valid aria-valuenow.
  const percent = Math.round(share * 1_000) / 10
  const tone = limit !== null && used >= limit ? 'full' : share >= 0.8 ? 'near' : 'fine'
  return (
    <AriaMeter className="meter" value={percent} valueLabel={words}>
      <Label>{label}</Label>
      <span className="meter-words">{words}</span>
      {limit !== null && (
        <span className="meter-track">
          {used > 0 && <span className={`meter-fill meter-${tone}`} style={{ inlineSize: `${percent}%` }} />}
        </span>
      )}
    </AriaMeter>
  )
}

/** The usage of each limit. */
export function UsageMeters({ profile: { limits, usage } }: { profile: Profile }) {
  return (
    <section className="panel" aria-labelledby="usage">
      <h2 id="usage">{text('keys.usage')}</h2>
      <div className="meters">
        <Meter label={text('frame.snippets')} used={usage.snippets} limit={limits.snippets} />
        <Meter label={text('plan.history')} used={usage.history} limit={limits.history} />
        {(limits.api_keys !== 0 || usage.api_keys > 0) && (
          <Meter label={text('frame.keys')} used={usage.api_keys} limit={limits.api_keys} />
        )}
        {(limits.trusted_publishers !== 0 || usage.trusted_publishers > 0) && (
          <Meter
            label={text('plan.trustedPublishers')}
            used={usage.trusted_publishers}
            limit={limits.trusted_publishers}
          />
        )}
        <Meter label={text('plan.contracts')} used={usage.contracts} limit={limits.contracts} />
        <Meter label={text('plan.shares')} used={usage.shares} limit={limits.shares} />
        <Meter
          label={text('plan.storedBytes')}
          used={usage.stored_bytes}
          limit={limits.stored_bytes}
          write={readableSize}
        />
      </div>
    </section>
  )
}
