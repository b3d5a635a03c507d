import { readableSize } from '#shared/core/readable-size.js'
import { text } from '../../../../texts/text.js'
import type { Plan, PlanLimits, PlanName } from '../../api/plans.js'

function countWords(limit: number | null): string {
  if (limit === null) return text('plan.unlimited')
  return limit === 0 ? text('plan.noneOf') : text('kit.number', { value: limit })
}

const rows: readonly { readonly name: string; words(limits: PlanLimits): string }[] = [
  { name: text('plan.snippets'), words: ({ snippets }) => countWords(snippets) },
  { name: text('plan.shares'), words: ({ shares }) => countWords(shares) },
  { name: text('plan.dataBytes'), words: ({ data_bytes: bytes }) => readableSize(bytes) },
  {
    name: text('plan.storedBytes'),
    words: ({ stored_bytes: bytes }) => (bytes === null ? countWords(null) : readableSize(bytes)),
  },
  {
    name: text('plan.shareTtl'),
    words: ({ share_ttl_days: count }) =>
      count === null ? text('plan.forEver') : text('plan.days', { count }),
  },
  {
    name: text('plan.history'),
    words: ({ history: count }) => (count === null ? countWords(null) : text('plan.lastOf', { count })),
  },
  { name: text('plan.keys'), words: ({ api_keys: keys }) => countWords(keys) },
]

/** What each plan holds, beside one another. */
export function PlanComparison({
  plans,
  current,
}: {
  readonly plans: readonly Plan[]
  readonly current: PlanName
}) {
  return (
    <section className="panel" aria-labelledby="comparison">
      <h2 id="comparison">{text('plan.compare')}</h2>
      <table className="figures plans">
        <thead>
          <tr>
            <th scope="col">{text('plan.limit')}</th>
            {plans.map(({ id, name }) => (
              <th scope="col" key={id} aria-current={id === current}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, words }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {plans.map(({ id, limits }) => (
                <td key={id}>{words(limits)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
