import type { ApiKey, ApiKeyUsage } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApiQuery } from '../../api/api-context.js'
import { keysKey } from '../../api/query-keys.js'
import { Loaded } from '../../kit/loaded.js'

/** One bar, part of which may be highlighted. */
interface Bar {
  readonly id: string
  /** Its tooltip. */
  readonly words: string
  readonly value: number
  /** At most the value. */
  readonly part: number
}

const step = 20
const width = 14
const height = 120

/** A bar chart. It is a picture: give the same information in text beside it. */
function BarChart({ label, bars }: { readonly label: string; readonly bars: readonly Bar[] }) {
  const limit = Math.max(1, ...bars.map(({ value }) => value))
  const high = (value: number): number => (value === 0 ? 0 : Math.max(2, (value / limit) * height))
  return (
    <svg
      className="bars"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${Math.max(1, bars.length) * step} ${height + 1}`}
      preserveAspectRatio="none"
    >
      <path className="bars-line" d={`M0 ${height + 0.5}h${bars.length * step}`} />
      {bars.map(({ id, words, value, part }, index) => (
        <g key={id} transform={`translate(${index * step + (step - width) / 2} 0)`}>
          <title>{words}</title>
          <rect className="bars-room" width={width} height={height} />
          <rect className="bars-bar" y={height - high(value)} width={width} height={high(value)} />
          <rect className="bars-part" y={height - high(part)} width={width} height={high(part)} />
        </g>
      ))}
    </svg>
  )
}

const refreshMs = 10_000

function UsageTable({ caption, days }: { readonly caption: string; readonly days: ApiKeyUsage['days'] }) {
  return (
    <table className="figures">
      <caption className="hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{text('keys.colDay')}</th>
          <th scope="col">{text('keys.colRequests')}</th>
          <th scope="col">{text('keys.colErrors')}</th>
        </tr>
      </thead>
      <tbody>
        {[...days].reverse().map(({ date, requests, errors }) => (
          <tr key={date}>
            <th scope="row">{date}</th>
            <td>{text('kit.number', { value: requests })}</td>
            <td>{text('kit.number', { value: errors })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function UsagePlot({ name, usage: { total, days } }: { readonly name: string; readonly usage: ApiKeyUsage }) {
  const errors = days.reduce((sum, day) => sum + day.errors, 0)
  const caption = text('keys.usageOf', { name })
  if (total === 0) return <p className="hint">{text('keys.noUse', { count: days.length })}</p>
  return (
    <>
      <p className="usage-words">
        <strong>{text('keys.total', { count: total, days: days.length })}</strong>
        <span className="usage-errors">{text('keys.errors', { count: errors })}</span>
      </p>
      <BarChart
        label={caption}
        bars={days.map((day) => ({
          id: day.date,
          words: text('keys.day', day),
          value: day.requests,
          part: day.errors,
        }))}
      />
      <p className="usage-ends hint" aria-hidden="true">
        <span>{days[0]?.date}</span>
        <span>{days.at(-1)?.date}</span>
      </p>
      <details>
        <summary>{text('keys.asTable')}</summary>
        <UsageTable caption={caption} days={days} />
      </details>
    </>
  )
}

/** A key's requests per day, refreshed while shown. */
export function KeyUsagePanel({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const found = useApiQuery([...keysKey, id, 'usage'], (api, options) => api.keys.usage(id, {}, options), {
    refetchInterval: refreshMs,
  })
  return (
    <Loaded query={found} lines={2}>
      {(usage) => <UsagePlot name={name} usage={usage} />}
    </Loaded>
  )
}
