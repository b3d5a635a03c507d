/** The ids of the payment sandbox's prices, which billing uses with it. */
export const sandboxPrices = {
  month: 'price_month',
  year: 'price_year',
} as const
