import type { Break, Check } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'

function Value({ value }: { readonly value: string | null }) {
  return value === null ? null : <code className="mono">{value}</code>
}

function BreakRow({
  found: { pointer, rule, baseline, candidate, message },
  hasMessages,
}: {
  readonly found: Break
  readonly hasMessages: boolean
}) {
  return (
    <tr>
      <th scope="row">{pointer === '' ? text('check.whole') : <code className="mono">{pointer}</code>}</th>
      <td data-label={text('check.rule')}>
        <code className="mono">{rule}</code>
      </td>
      <td data-label={text('check.baseline')}>
        <Value value={baseline} />
      </td>
      <td data-label={text('check.candidate')}>
        <Value value={candidate} />
      </td>
      {hasMessages && (
        <td data-label={text('check.message')} lang="en">
          {message}
        </td>
      )}
    </tr>
  )
}

/** What a candidate breaks, as far as it is listed. */
export function CheckBreaks({ check: { breaks, counts } }: { readonly check: Check }) {
  const hasMessages = breaks.some(({ message }) => message !== undefined)
  const names = ['check.place', 'check.rule', 'check.baseline', 'check.candidate'] as const
  return (
    <section aria-labelledby="breaks">
      <h2 id="breaks">{text('check.breaks')}</h2>
      {breaks.length < counts.breaks && (
        <p className="quiet">{text('check.more', { count: breaks.length, total: counts.breaks })}</p>
      )}
      <table className="breaks">
        <thead>
          <tr>
            {[...names, ...(hasMessages ? (['check.message'] as const) : [])].map((name) => (
              <th key={name} scope="col">
                {text(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {breaks.map((found, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one place may break several rules, and the list never changes
            <BreakRow key={place} found={found} hasMessages={hasMessages} />
          ))}
        </tbody>
      </table>
    </section>
  )
}
