import { expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import type { Price } from '../domain/subscription.js'
import { createPriceCache } from './price-cache.js'

const price: Price = { interval: 'month', currency: 'eur', amountMinor: 900 }

it('prices are fetched once at startup, and unknown until the provider responds', async () => {
  let asked = 0
  let respond = (_prices: readonly Price[]): void => {}
  const prices = () => {
    asked += 1
    return new Promise<readonly Price[]>((resolve) => {
      respond = resolve
    })
  }
  const cache = createPriceCache({ prices }, createLogger('billing', 'silent'))
  expect(cache.current()).toEqual([])
  respond([price])
  await cache.stop()
  expect([cache.current(), asked]).toEqual([[price], 1])
})

it('an unreachable provider causes a warning and leaves prices unknown', async () => {
  const lines: string[] = []
  const log = createLogger('billing', 'warn', { write: (line) => void lines.push(line) })
  const cache = createPriceCache({ prices: () => Promise.reject(new Error('no route')) }, log)
  await cache.stop()
  expect(cache.current()).toEqual([])
  expect(lines.join('')).toContain('prices_unavailable')
})
