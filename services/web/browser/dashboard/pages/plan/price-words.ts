import type { Plan } from '../../api/plans.js'

/** What something costs. */
export type Price = Plan['prices'][number]

/** A price as people write it; amounts come in the smallest unit of their currency. */
export function priceWords({ currency, amount }: Pick<Price, 'currency' | 'amount'>): string {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** How many per cent paying by the year saves; 0 when it saves nothing, or is not offered. */
export function yearlySaving(prices: readonly Price[]): number {
  const month = prices.find(({ interval }) => interval === 'month')
  const year = prices.find(({ interval }) => interval === 'year')
  if (month === undefined || year === undefined || month.currency !== year.currency) return 0
  return Math.max(0, Math.floor((1 - year.amount / (12 * month.amount)) * 100))
}
