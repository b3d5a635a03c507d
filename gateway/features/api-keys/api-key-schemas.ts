import { z } from 'zod'
import { isDate } from '#libs/core/field-rules.js'
import type { ApiKey, ApiKeySecret, ApiKeyUsageDay } from '#proto/snipkeep/identity/v1/api_key_service.js'
import { keyScopes, scopeNames } from '../../request/key-scopes.js'
import { expiresIn, plainText, timestamp } from '../schemas.js'

/** In seconds. */
const century = 3_153_600_000

export const newApiKey = z.strictObject({
  name: plainText(100).meta({ example: 'nightly build' }),
  scopes: keyScopes
    .optional()
    .describe(
      'What the key may do; defaults to `read` and `write`. Only `approve` may change contracts and approve or reject checks; no scope includes another.',
    ),
  expires_in: expiresIn
    .max(century, `must be at most ${century} seconds`)
    .optional()
    .describe('Seconds until the key expires. Omit it for a key that never expires.'),
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
    .int('must be a whole number of seconds')
    .min(0, 'must be at least 0')
    .max(7 * daySeconds, `must be at most ${7 * daySeconds} seconds`)
    .default(daySeconds)
    .describe('How long both secrets work once the overlap has begun; 0 to 7 days.'),
  begins: z
    .enum(['first_use', 'now'], 'must be first_use or now')
    .default('first_use')
    .describe(
      'When the overlap begins. With `first_use`, a new secret that is not used within seven days expires, and the previous one stays valid.',
    ),
})

/** The fields of a revocation by someone who holds the key. */
export const heldKey = z.strictObject({
  key: z.string().max(1_000, 'must be at most 1000 characters').describe('The key to revoke.'),
})

/** The response to a revocation, which reveals nothing about the key. */
export const revocation = z.object({ accepted: z.literal(true) }).meta({ id: 'KeyRevocation' })

const secret = z
  .object({
    prefix: z.string().describe('The first characters of the secret.'),
    last4: z.string().describe('The last characters of the secret.'),
    created_at: timestamp,
    last_used_at: timestamp.nullable().describe('null until first used; lags by a few seconds.'),
    expires_at: timestamp
      .nullable()
      .describe('When this secret expires while the key itself stays valid; null if that is not known yet.'),
  })
  .meta({ id: 'ApiKeySecret' })

const apiKeyFields = {
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe('The first characters of the key.'),
  last4: z.string().describe('The last characters of the key.'),
  scopes: z.array(z.enum(['read', 'write', 'approve'])),
  created_at: timestamp,
  expires_at: timestamp.nullable().describe('null if it never expires.'),
  last_used_at: timestamp.nullable().describe('null until first used; lags by a few seconds.'),
  request_count: z.int().describe('Requests made with this key; lags by a few seconds.'),
  current: secret.describe('The newest secret. The `prefix` and `last4` of the key come from it.'),
  previous: secret
    .nullable()
    .describe('The previous secret, while both are valid; null unless the key is being rotated.'),
}

/** An API key without the key itself. */
export const apiKey = z.object(apiKeyFields).meta({ id: 'ApiKey' })

/** A new API key, with the only copy of the key. */
export const createdApiKey = z
  .object({ ...apiKeyFields, key: z.string().describe('The key itself, shown only once.') })
  .meta({ id: 'CreatedApiKey' })

export const apiKeyList = z.object({ keys: z.array(apiKey) }).meta({ id: 'ApiKeyList' })

export const apiKeyUsage = z
  .object({
    total: z.int().describe('Requests over all these days.'),
    days: z.array(
      z.object({
        date: z.iso.date(),
        requests: z.int(),
        errors: z.int().describe('Requests with a status of 400 or above.'),
      }),
    ),
  })
  .meta({ id: 'ApiKeyUsage' })

const dayMs = 86_400_000

function secretResponse({ prefix, last4, createdAt, lastUsedAt, expiresAt }: ApiKeySecret) {
  return {
    prefix,
    last4,
    created_at: createdAt?.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    expires_at: expiresAt?.toISOString() ?? null,
  }
}

export function apiKeyResponse(apiKey: ApiKey): Record<string, unknown> {
  const { id, name, prefix, last4, scopes, createdAt, expiresAt, lastUsedAt, requestCount } = apiKey
  const { current, previous } = apiKey
  if (createdAt === undefined || current === undefined)
    throw new Error('identity returned an API key without a time or a secret')
  return {
    id,
    name,
    prefix,
    last4,
    scopes: scopeNames(scopes),
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
    request_count: requestCount,
    current: secretResponse(current),
    previous: previous === undefined ? null : secretResponse(previous),
  }
}

/** The UTC days between two dates as YYYY-MM-DD, inclusive. */
export function datesBetween(from: string, to: string): readonly string[] {
  const dates: string[] = []
  for (let time = Date.parse(from); time <= Date.parse(to); time += dayMs)
    dates.push(new Date(time).toISOString().slice(0, 10))
  return dates
}

/** The usage on each of these dates, zero if the key was not used. */
export function usageResponse(
  dates: readonly string[],
  used: readonly ApiKeyUsageDay[],
): Record<string, unknown> {
  const byDate = new Map(used.map((day) => [day.date, day]))
  const days = dates.map((date) => {
    const { requests = 0, errors = 0 } = byDate.get(date) ?? {}
    return { date, requests, errors }
  })
  return { total: days.reduce((sum, { requests }) => sum + requests, 0), days }
}
