import { hash } from 'node:crypto'
import type { RedisConnection } from '#libs/redis/redis-connection.js'
import { coalesce } from '#libs/runtime/coalesce.js'
import type { Admission, RatePolicy } from '../request/counted-request.js'

/**
 * Atomic, for several requests in order: a key and three arguments each. The times of admitted requests are one string, oldest first: doubles of 8 bytes, in microseconds of Redis's
 * own clock. No list or set of Redis takes as little memory. The script removes times outside the window, and adds the
 * requested number if there is room for all. The key expires with the window.
 */
const take = `
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local function take(key, limit, window, count)
  local times = redis.call('GET', key) or ''
  local head = 1
  while head <= #times and struct.unpack('>d', times, head) <= now - window do
    head = head + 8
  end
  local used = (#times - head + 1) / 8
  local room = limit - used
  local freed = now
  local at = head + 8 * math.max(0, count - room - 1)
  if at < #times then freed = struct.unpack('>d', times, at) end
  local reset = string.format('%.0f', freed + window - now)
  if count > room then return {0, 0, reset, ''} end
  local added = string.rep(struct.pack('>d', now), count)
  redis.call('SET', key, string.sub(times, head) .. added, 'PX', math.ceil(window / 1000))
  return {1, room - count, reset, string.format('%.0f', now)}
end
local taken = {}
for i, key in ipairs(KEYS) do
  taken[i] = take(key, tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]))
end
return taken`

const refundScript = `
local times = redis.call('GET', KEYS[1])
if not times then return 0 end
local time = struct.pack('>d', tonumber(ARGV[1]))
local count = tonumber(ARGV[2])
for at = #times - 7, 1, -8 do
  if string.sub(times, at, at + 7) == time then
    local from = math.max(1, at - 8 * (count - 1))
    local kept = string.sub(times, 1, from - 1) .. string.sub(times, at + 8)
    if kept == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], kept, 'KEEPTTL') end
    return 1
  end
end
return 0`

export interface RedisAdmission extends Admission {
  /** In microseconds of Redis's clock; empty for a rejection. */
  readonly time: string
}

/** A sliding window shared by all gateways with the same Redis. */
export interface RedisSlidingWindow {
  /** Like `SlidingWindow.take`, but rejects its promise if Redis fails. */
  take(subject: string, policy: RatePolicy, count?: number): Promise<RedisAdmission>
}

/** A digest, because a client IP is personal data and must not appear in a dump of Redis. */
function keyOf(subject: string, { name }: RatePolicy): string {
  return `snipkeep:limit:${name}:${hash('sha256', subject, 'base64url').slice(0, 16)}`
}

type Decision = Omit<RedisAdmission, 'refund'>

function parse(reply: unknown): Decision {
  if (!Array.isArray(reply) || reply.length !== 4) throw new Error('unexpected response from Redis')
  const [admitted, remaining, resetMicros, time] = reply
  return {
    admitted: Number(admitted) === 1,
    remaining: Number(remaining),
    resetMs: Number(resetMicros) / 1_000,
    time: String(time),
  }
}

interface Taking {
  readonly key: string
  readonly policy: RatePolicy
  readonly count: number
}

/** Requests never wait for those that Redis is deciding about. */
const batching = { maxBatchSize: 64, maxInFlight: Number.POSITIVE_INFINITY, maxDelayMs: 0 }

/**
 * For Redis 6.2 or later, or Valkey. Exact over all gateways: a script decides about the requests of one moment, one
 * after another.
 */
export function createRedisSlidingWindow(redis: Pick<RedisConnection, 'script'>): RedisSlidingWindow {
  const runTake = redis.script(take)
  const runRefund = redis.script(refundScript)
  const decide = coalesce<Taking, Decision>(batching, async (takings) => {
    const args = takings.flatMap(({ policy, count }) => [
      String(policy.requests),
      String(policy.seconds * 1_000_000),
      String(count),
    ])
    const replies = await runTake(
      takings.map(({ key }) => key),
      args,
    )
    if (!Array.isArray(replies)) throw new Error('unexpected response from Redis')
    return replies.map((reply) => ({ status: 'fulfilled', value: parse(reply) }))
  })
  return {
    async take(subject, policy, count = 1) {
      const key = keyOf(subject, policy)
      const { admitted, remaining, resetMs, time } = await decide({ key, policy, count })
      return {
        ...{ admitted, remaining, resetMs, time },
        refund: () => {
          // If this fails, the request leaves the window by itself.
          if (admitted) runRefund([key], [time, String(count)]).catch(() => {})
        },
      }
    },
  }
}
