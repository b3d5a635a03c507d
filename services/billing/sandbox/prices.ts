import type { SandboxInterval } from './state.js'

/** The ids of the prices that the sandbox sells at. */
export const sandboxPrices: Readonly<Record<SandboxInterval, string>> = {
  month: 'price_month',
  year: 'price_year',
}
