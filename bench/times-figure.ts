import { quantile } from '../e2e/harness/quantile.js'
import type { GoalFigure } from './goal.js'

/** A goal for how long something takes, relative to a floor, and one for its slowest hundredth. */
export interface TimesGoal {
  readonly name: string
  readonly unit: 's' | 'ms'
  /** What the floor is, in a few words. */
  readonly against: string
  readonly ratioMax: number
  /** How many times the floor's p99 ours may be; `null` asks for nothing. */
  readonly p99RatioMax: number | null
}

/** How long each round took, in the unit of the goal. */
export interface RoundTimes {
  readonly floor: readonly number[]
  readonly ours: readonly number[]
  /** A typical program, for comparison. */
  readonly peer?: readonly number[]
}

function figureOf(
  { unit, against }: Pick<TimesGoal, 'unit' | 'against'>,
  name: string,
  ratioMax: number | null,
  share: number,
  { floor, ours, peer }: RoundTimes,
): GoalFigure {
  const [floorTime, measured] = [quantile(floor, share), quantile(ours, share)]
  const ratio = measured / floorTime
  const peerTime = peer === undefined ? undefined : quantile(peer, share)
  return {
    ...{ name, unit, floor: floorTime, measured, ratio },
    goal: ratioMax === null ? `none (of ${against})` : `≤ ${ratioMax.toFixed(1)} of ${against}`,
    holds: ratioMax === null || ratio <= ratioMax,
    details:
      peerTime === undefined ? {} : { [`peer ${unit}`]: peerTime, 'peer of floor': peerTime / floorTime },
  }
}

/**
 * Both rows of a goal: the medians of the rounds and their ratio, with the spread of single rounds, and the p99, which is
 * the slowest of fewer than a hundred rounds.
 */
export function timesFigures(goal: TimesGoal, times: RoundTimes): readonly [GoalFigure, GoalFigure] {
  const { name, ratioMax, p99RatioMax } = goal
  const ratios = times.ours.map((time, round) => time / (times.floor[round] ?? Number.NaN))
  const typical = figureOf(goal, name, ratioMax, 0.5, times)
  const spread = { 'ratio least': Math.min(...ratios), 'ratio most': Math.max(...ratios) }
  return [
    { ...typical, details: { ...spread, ...typical.details } },
    figureOf(goal, `${name}: p99`, p99RatioMax, 0.99, times),
  ]
}
