import { z } from 'zod'
import { timestamp } from '../schemas.js'

const unlimitable = z.int().nullable().describe('null means unlimited.')
const limits = z
  .object({
    data_bytes: z.int(),
    snippets: unlimitable,
    revisions: z.int().describe('Replaced versions kept of each snippet.'),
    shares: unlimitable.describe('Live shares; null means unlimited.'),
    stored_bytes: unlimitable.describe(
      'Total bytes of data, including replaced versions and deleted data not yet removed; null means unlimited.',
    ),
    share_ttl_days: unlimitable,
    history: unlimitable,
    api_keys: unlimitable,
    trusted_publishers: unlimitable,
    contracts: unlimitable.describe('Snippets with a contract; null means unlimited.'),
  })
  .meta({ id: 'PlanLimits' })

export const planList = z
  .object({
    plans: z.array(
      z.object({
        id: z.enum(['free', 'pro']),
        name: z.string(),
        limits,
        prices: z.array(
          z.object({
            interval: z.enum(['month', 'year']),
            currency: z.string().describe('ISO 4217 code in lower case.'),
            amount: z.int().describe("Amount in the currency's smallest unit."),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'PlanList' })

export const profile = z
  .object({
    id: z.string(),
    email: z.string().nullable(),
    email_verified: z.boolean(),
    name: z.string().nullable(),
    picture: z.string().nullable(),
    plan: z.enum(['free', 'pro']),
    limits,
    usage: z.object({
      snippets: z.int(),
      shares: z.int().describe('Live shares, neither deleted nor expired.'),
      stored_bytes: z.int(),
      history: z.int(),
      api_keys: z.int(),
      trusted_publishers: z.int(),
      contracts: z.int(),
    }),
    created_at: timestamp,
    operator: z
      .boolean()
      .describe('Whether this token may use the operator’s part of the API; never with an API key.'),
  })
  .meta({ id: 'Profile' })
