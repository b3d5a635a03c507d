import { readableSize } from '#libs/core/readable-text.js'
import type { Profile } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { Meter } from '../../kit/meter.js'

/** The usage of each limit. */
export function UsageMeters({ profile: { limits, usage } }: { profile: Profile }) {
  return (
    <section className="panel" aria-labelledby="usage">
      <h2 id="usage">{text('plan.usage')}</h2>
      <div className="meters">
        <Meter label={text('plan.snippets')} used={usage.snippets} limit={limits.snippets} />
        <Meter label={text('plan.history')} used={usage.history} limit={limits.history} />
        {(limits.api_keys !== 0 || usage.api_keys > 0) && (
          <Meter label={text('plan.keys')} used={usage.api_keys} limit={limits.api_keys} />
        )}
        {(limits.trusted_publishers !== 0 || usage.trusted_publishers > 0) && (
          <Meter
            label={text('plan.trustedPublishers')}
            used={usage.trusted_publishers}
            limit={limits.trusted_publishers}
          />
        )}
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
