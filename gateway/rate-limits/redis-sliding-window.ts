import { hash } from 'node:crypto'
import type { RedisConnection } from '#libs/redis/redis-connection.js'
import { coalesce } from '#libs/runtime/coalesce.js'
import type { Admission, RatePolicy } from '../request/counted-request.js'

/** A window keeps at most about as many entries; requests of the same part of it share one. */
const entriesMax = 32

/**
 * Atomic, for several requests in order: a key and five arguments each. What a key holds is one string, oldest first: the
 * time of the latest admission in a part of the window, in microseconds of Redis's own clock, and how many there were. No
 * list or set of Redis takes as little memory. What comes behind a lease, which counts from later on, joins its entry. The script removes entries outside the window, and adds the requested
 * number if there is room for all. The key expires with its last entry.
 */
const take = `
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local function take(key, limit, window, part, count, ahead)
  local held = redis.call('GET', key) or ''
  local head, used = 1, 0
  while head <= #held and struct.unpack('>d', held, head) <= now - window do head = head + 12 end
  for at = head, #held, 12 do used = used + struct.unpack('>I4', held, at + 8) end
  local room = limit - used
  local freed, missing = now, math.max(1, count - room)
  for at = head, #held, 12 do
    missing = missing - struct.unpack('>I4', held, at + 8)
    if missing <= 0 then freed = struct.unpack('>d', held, at) break end
  end
  local reset = string.format('%.0f', freed + window - now)
  if count > room then return {0, 0, reset, ''} end
  local last, added, time = #held, count, now + ahead
  if part > 0 and head < last then
    local latest = struct.unpack('>d', held, last - 11)
    if math.floor(latest / part) >= math.floor(time / part) then
      added = added + struct.unpack('>I4', held, last - 3)
      time = math.max(time, latest)
      last = last - 12
    end
  end
  local kept = string.sub(held, head, last) .. struct.pack('>dI4', time, added)
  redis.call('SET', key, kept, 'PX', math.ceil((window + time - now) / 1000))
  return {1, room - count, reset, string.format('%.0f', time)}
end
local taken = {}
for i, key in ipairs(KEYS) do
  local given = {}
  for n = 1, 5 do given[n] = tonumber(ARGV[5 * i - 5 + n]) end
  taken[i] = take(key, unpack(given))
end
return taken`

const refundScript = `
local held = redis.call('GET', KEYS[1]) or ''
local time, part, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
for at = #held - 11, 1, -12 do
  local latest, admitted = struct.unpack('>dI4', held, at)
  if latest == time or part > 0 and math.floor(latest / part) == math.floor(time / part) then
    local left = admitted > count and struct.pack('>dI4', latest, admitted - count) or ''
    local kept = string.sub(held, 1, at - 1) .. left .. string.sub(held, at + 12)
    if kept == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], kept, 'KEEPTTL') end
    return 1
  end
end
return 0`

export interface RedisAdmission extends Admission {
  /** In microseconds of Redis's clock; empty for a rejection. */
  readonly time: string
  /** @param count how many of the admitted requests; all by default. */
  refund(count?: number): void
}

/** A sliding window shared by all gateways with the same Redis. */
export interface RedisSlidingWindow {
  /**
   * Like `SlidingWindow.take`, but rejects its promise if Redis fails.
   * @param aheadMs how much later than now the requests may come; 0 by default.
   */
  take(subject: string, policy: RatePolicy, count?: number, aheadMs?: number): Promise<RedisAdmission>
}

/** A digest, because a client IP is personal data and must not appear in a dump of Redis. */
function keyOf(subject: string, { name }: RatePolicy): string {
  return `snipkeep:window:${name}:${hash('sha256', subject, 'base64url').slice(0, 16)}`
}

/** The parts of a window whose requests share an entry, in microseconds; 0 if each has its own. */
function partOf({ requests, seconds }: RatePolicy): string {
  return String(requests > entriesMax ? (seconds * 1_000_000) / entriesMax : 0)
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
  readonly aheadMs: number
}

/** Requests never wait for those that Redis is deciding about. */
const batching = { maxBatchSize: 64, maxInFlight: Number.POSITIVE_INFINITY, maxDelayMs: 0 }

/**
 * For Redis 6.2 or later, or Valkey. A script decides about the requests of one moment, one after another, over all
 * gateways, and never admits more than the policy in any window. What it costs does not grow with the policy: beyond 32
 * requests, one may count for up to a 32nd of the window longer.
 */
export function createRedisSlidingWindow(redis: Pick<RedisConnection, 'script'>): RedisSlidingWindow {
  const runTake = redis.script(take)
  const runRefund = redis.script(refundScript)
  const decide = coalesce<Taking, Decision>(batching, async (takings) => {
    const args = takings.flatMap(({ policy, count, aheadMs }) => [
      String(policy.requests),
      String(policy.seconds * 1_000_000),
      partOf(policy),
      String(count),
      String(aheadMs * 1_000),
    ])
    const replies = await runTake(
      takings.map(({ key }) => key),
      args,
    )
    if (!Array.isArray(replies)) throw new Error('unexpected response from Redis')
    return replies.map((reply) => ({ status: 'fulfilled', value: parse(reply) }))
  })
  return {
    async take(subject, policy, count = 1, aheadMs = 0) {
      const key = keyOf(subject, policy)
      const { admitted, remaining, resetMs, time } = await decide({ key, policy, count, aheadMs })
      return {
        ...{ admitted, remaining, resetMs, time },
        refund: (some = count) => {
          // If this fails, the request leaves the window by itself.
          if (admitted) runRefund([key], [time, partOf(policy), String(some)]).catch(() => {})
        },
      }
    },
  }
}
