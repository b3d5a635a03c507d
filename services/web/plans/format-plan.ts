import { speech } from '../texts/speech.js'
import { readableSize, type TextName, text } from '../texts/text.js'
import type { Plan, PlanLimits, Price } from './plan.js'

/** Formats a price; amounts are in the currency's smallest unit. */
export function formatPrice({ currency, amount }: Pick<Price, 'currency' | 'amount'>): string {
  const format = new Intl.NumberFormat(speech.language, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** How many per cent yearly billing saves; 0 if nothing or if it is not offered. */
export function yearlySaving(prices: readonly Price[]): number {
  const month = prices.find(({ interval }) => interval === 'month')
  const year = prices.find(({ interval }) => interval === 'year')
  if (month === undefined || year === undefined || month.currency !== year.currency) return 0
  return Math.max(0, Math.floor((1 - year.amount / (12 * month.amount)) * 100))
}

const intervals = { month: 'plan.perMonth', year: 'plan.perYear' } as const

/** The prices of a plan, one line per billing interval; none if it is not for sale. */
export function formatPrices({ prices }: Pick<Plan, 'prices'>): readonly string[] {
  const saving = yearlySaving(prices)
  return prices.map((price) => {
    const words = text(intervals[price.interval], { price: formatPrice(price) })
    const saves = price.interval === 'year' && saving > 0
    return saves ? `${words}, ${text('plan.saves', { percent: saving })}` : words
  })
}

function formatCount(limit: number | null): string {
  if (limit === null) return text('plan.unlimited')
  return limit === 0 ? text('plan.noneOf') : text('kit.number', { value: limit })
}

/** All limits of a plan, in the order shown. */
export const limitRows: readonly { readonly name: TextName; words(limits: PlanLimits): string }[] = [
  { name: 'frame.snippets', words: ({ snippets }) => formatCount(snippets) },
  { name: 'plan.revisions', words: ({ revisions = 0 }) => formatCount(revisions) },
  { name: 'plan.contracts', words: ({ contracts = 0 }) => formatCount(contracts) },
  { name: 'plan.shares', words: ({ shares }) => formatCount(shares) },
  { name: 'plan.dataBytes', words: ({ data_bytes: bytes }) => readableSize(bytes) },
  {
    name: 'plan.storedBytes',
    words: ({ stored_bytes: bytes }) => (bytes === null ? formatCount(null) : readableSize(bytes)),
  },
  {
    name: 'plan.shareTtl',
    words: ({ share_ttl_days: count }) =>
      count === null ? text('plan.forEver') : text('plan.days', { count }),
  },
  {
    name: 'plan.history',
    words: ({ history: count }) => (count === null ? formatCount(null) : text('plan.lastOf', { count })),
  },
  { name: 'frame.keys', words: ({ api_keys: keys }) => formatCount(keys) },
  { name: 'plan.trustedPublishers', words: ({ trusted_publishers: count }) => formatCount(count) },
]
