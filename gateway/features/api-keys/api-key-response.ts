import type { ApiKey, ApiKeySecret, ApiKeyUsageDay } from '#proto/snipkeep/identity/v1/api_key_service.js'
import { scopeNames } from '../../request/key-scopes.js'

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
  if (createdAt === undefined) throw new Error('identity returned an API key without a time')
  const { previous } = apiKey
  // Identity of the previous release has one secret for each key.
  const only = { prefix, last4, createdAt, lastUsedAt, expiresAt: undefined }
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
    current: secretResponse(apiKey.current ?? only),
    previous: previous === undefined ? null : secretResponse(previous),
  }
}

/** The UTC days between two dates as YYYY-MM-DD, inclusive. */
export function datesBetween(from: string, to: string): readonly string[] {
  const dates: string[] = []
  for (let time = Date.parse(from); time <= Date.parse(to); time += dayMs) {
    dates.push(new Date(time).toISOString().slice(0, 10))
  }
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
