/** The ids of the prices that the payment sandbox sells at, which billing takes as its own beside it. */
export const sandboxPrices = {
  month: 'price_month',
  year: 'price_year',
} as const
