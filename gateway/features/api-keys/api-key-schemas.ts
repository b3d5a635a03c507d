import { z } from 'zod'
import { isDate } from '#libs/core/field-rules.js'
import { expiresIn, plainText, timestamp } from '../schemas.js'

/** Seconds of a century, beyond which an expiry means nothing. */
const century = 3_153_600_000

const scope = z.enum(['read', 'write'], { error: 'must be read or write' })

/** Fields of a new API key. */
export const newApiKey = z.strictObject({
  name: plainText(100).meta({ example: 'nightly build' }),
  scopes: z
    .array(scope)
    .min(1, { error: 'must name at least one scope' })
    .max(10, { error: 'must have at most 10 items' })
    .optional()
    .meta({ description: 'What the key may do. Defaults to both.' }),
  expires_in: expiresIn
    .max(century, { error: `must be at most ${century} seconds` })
    .optional()
    .meta({ description: 'Seconds until the key expires. Omit it for a key that never expires.' }),
})

const date = z
  .string()
  .refine(isDate, { error: 'must be a date such as 2030-01-31', params: { code: 'invalid_format' } })

/** Query of the use of a key. */
export const apiKeyUsageQuery = z.object({
  from: date
    .optional()
    .meta({ format: 'date', description: 'First day (UTC). Defaults to 29 days before `to`.' }),
  to: date.optional().meta({ format: 'date', description: 'Last day (UTC). Defaults to today.' }),
})

const apiKeyFields = {
  id: z.string(),
  name: z.string(),
  prefix: z.string().meta({ description: 'The first characters of the key.' }),
  last4: z.string().meta({ description: 'The last characters of the key.' }),
  scopes: z.array(z.enum(['read', 'write'])),
  created_at: timestamp,
  expires_at: timestamp.nullable().meta({ description: 'null if it never expires.' }),
  last_used_at: timestamp.nullable().meta({ description: 'null until first used; lags by a few seconds.' }),
  request_count: z.int().meta({ description: 'Requests made with this key; lags by a few seconds.' }),
}

/** An API key without the key itself. */
export const apiKey = z.object(apiKeyFields).meta({ id: 'ApiKey' })

/** A new API key, with the only copy of the key. */
export const createdApiKey = z
  .object({ ...apiKeyFields, key: z.string().meta({ description: 'The key itself, shown only once.' }) })
  .meta({ id: 'CreatedApiKey' })

/** The caller's API keys. */
export const apiKeyList = z.object({ keys: z.array(apiKey) }).meta({ id: 'ApiKeyList' })

/** The use of a key, day by day. */
export const apiKeyUsage = z
  .object({
    total: z.int().meta({ description: 'Requests over all these days.' }),
    days: z.array(
      z.object({
        date: z.iso.date(),
        requests: z.int(),
        errors: z.int().meta({ description: 'Requests with a status of 400 or above.' }),
      }),
    ),
  })
  .meta({ id: 'ApiKeyUsage' })
