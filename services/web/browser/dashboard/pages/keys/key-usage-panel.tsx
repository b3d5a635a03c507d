import type { ApiKey, ApiKeyUsage } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApiQuery } from '../../api/api-context.js'
import { keysKey } from '../../api/query-keys.js'
import { BarChart } from '../../kit/bar-chart.js'
import { Loaded } from '../../kit/loaded.js'

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
