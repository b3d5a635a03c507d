import { text } from './texts/text.js'

/** The units of durations. */
const units = [
  [86_400_000, 'time.days'],
  [3_600_000, 'time.hours'],
  [60_000, 'time.minutes'],
] as const

/** Formats a duration, such as `29 days`. */
export function readableDuration(ms: number): string {
  const [size, name] = units.find(([unit]) => ms >= unit) ?? ([1_000, 'time.seconds'] as const)
  return text(name, { count: Math.max(1, Math.floor(ms / size)) })
}

/** How long ago a time was, as of `now`. */
export function ago(at: Date, now: Date): string {
  return text('time.ago', { time: readableDuration(now.getTime() - at.getTime()) })
}

/** Formats a time, such as `2030-01-31 12:00 UTC`. */
export function readableMoment(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
