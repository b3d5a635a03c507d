import { type Finding, ok, problem, warning } from './finding.js'

/** Beyond the second, identity tokens are rejected; beyond the first, the clock is probably not synchronized. */
const limits = { warningMs: 5_000, problemMs: 60_000 }

/**
 * A clock that was read over a network: when the request was sent, the time in the response, and when that arrived.
 */
export interface ClockReading {
  readonly askedAt: number
  readonly said: number
  readonly arrivedAt: number
}

/** The minimum of milliseconds by which the other clock is ahead; 0 if the difference may be network latency. */
export function skewOf({ askedAt, said, arrivedAt }: ClockReading): number {
  if (said < askedAt) return said - askedAt
  return Math.max(0, said - arrivedAt)
}

/** Judges the difference between this clock and another one. */
export function clockFinding(check: string, whose: string, skewMs: number): Finding {
  const seconds = (Math.abs(skewMs) / 1_000).toFixed(1)
  const message = `this clock is ${seconds} s ${skewMs > 0 ? 'behind' : 'ahead of'} that of ${whose}`
  const remedy = `synchronize the clocks of both machines with NTP: timedatectl set-ntp true`
  if (Math.abs(skewMs) > limits.problemMs) return problem(check, message, remedy)
  if (Math.abs(skewMs) > limits.warningMs) return warning(check, message, remedy)
  return ok(check, `this clock and that of ${whose} agree`)
}
