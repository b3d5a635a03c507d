import { z } from 'zod'
import { isDate } from '#libs/core/field-rules.js'
import { scopes } from '../../request/key-scopes.js'
import { expiresIn, plainText, timestamp } from '../schemas.js'

/** In seconds. */
const century = 3_153_600_000

export const newApiKey = z.strictObject({
  name: plainText(100).meta({ example: 'nightly build' }),
  scopes: scopes.optional().meta({ description: 'What the key may do. Defaults to both.' }),
  expires_in: expiresIn
    .max(century, { error: `must be at most ${century} seconds` })
    .optional()
    .meta({ description: 'Seconds until the key expires. Omit it for a key that never expires.' }),
})

const date = z
  .string()
  .refine(isDate, { error: 'must be a date such as 2030-01-31', params: { code: 'invalid_format' } })

export const apiKeyUsageQuery = z.object({
  from: date
    .optional()
    .meta({ format: 'date', description: 'First day (UTC). Defaults to 29 days before `to`.' }),
  to: date.optional().meta({ format: 'date', description: 'Last day (UTC). Defaults to today.' }),
})

const daySeconds = 86_400

export const rotation = z.strictObject({
  overlap_seconds: z
    .int({ error: 'must be a whole number of seconds' })
    .min(0, { error: 'must be at least 0' })
    .max(7 * daySeconds, { error: `must be at most ${7 * daySeconds} seconds` })
    .default(daySeconds)
    .meta({ description: 'How long both secrets work once the overlap has begun; 0 to 7 days.' }),
  begins: z.enum(['first_use', 'now'], { error: 'must be first_use or now' }).default('first_use').meta({
    description:
      'When the overlap begins. With `first_use`, a new secret that is not used within seven days expires, and the previous one stays valid.',
  }),
})

/** The fields of a revocation by someone who holds the key. */
export const heldKey = z.strictObject({
  key: z
    .string()
    .max(1_000, { error: 'must be at most 1000 characters' })
    .meta({ description: 'The key to revoke.' }),
})

/** The response to a revocation, which reveals nothing about the key. */
export const revocation = z.object({ accepted: z.literal(true) }).meta({ id: 'KeyRevocation' })

const secret = z
  .object({
    prefix: z.string().meta({ description: 'The first characters of the secret.' }),
    last4: z.string().meta({ description: 'The last characters of the secret.' }),
    created_at: timestamp,
    last_used_at: timestamp.nullable().meta({ description: 'null until first used; lags by a few seconds.' }),
    expires_at: timestamp.nullable().meta({
      description:
        'When this secret expires while the key itself stays valid; null if that is not known yet.',
    }),
  })
  .meta({ id: 'ApiKeySecret' })

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
  current: secret.meta({
    description: 'The newest secret. The `prefix` and `last4` of the key come from it.',
  }),
  previous: secret.nullable().meta({
    description: 'The previous secret, while both are valid; null unless the key is being rotated.',
  }),
}

/** An API key without the key itself. */
export const apiKey = z.object(apiKeyFields).meta({ id: 'ApiKey' })

/** A new API key, with the only copy of the key. */
export const createdApiKey = z
  .object({ ...apiKeyFields, key: z.string().meta({ description: 'The key itself, shown only once.' }) })
  .meta({ id: 'CreatedApiKey' })

export const apiKeyList = z.object({ keys: z.array(apiKey) }).meta({ id: 'ApiKeyList' })

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
