import type { GoalFigure } from './goal.js'
import { medianRun, type Run } from './rounds.js'

/** A goal for requests per second, relative to a floor. */
export interface RatioGoal {
  readonly name: string
  /** What the floor is, in a few words. */
  readonly against: string
  /** The minimum ratio to the floor's requests per second; `null` for none. */
  readonly ratioMin: number | null
  /** How many times the floor's p99 ours may be; `null` asks for nothing. */
  readonly p99RatioMax: number | null
}

/** The runs of the same rounds. */
export interface RatioRuns {
  readonly floor: readonly Run[]
  readonly ours: readonly Run[]
  /** A typical program, for comparison. */
  readonly peer?: readonly Run[]
}

function detailsOf(prefix: string, run: Run): Record<string, number> {
  return {
    [`${prefix} processor µs a request`]: run.microsPerRequest,
    [`${prefix} requests/s per core`]: run.perSecondPerCore,
    [`${prefix} p50 ms`]: run.p50Ms,
    [`${prefix} p99 ms`]: run.p99Ms,
    [`${prefix} resident MB`]: run.residentMb,
  }
}

/**
 * The result of a goal: medians of the rounds, their ratio, and the spread of the ratios of single rounds.
 */
export function ratioFigure(
  { name, against, ratioMin }: RatioGoal,
  { floor, ours, peer }: RatioRuns,
): GoalFigure {
  const [floorRun, oursRun] = [medianRun(floor), medianRun(ours)]
  const ratio = oursRun.perSecond / floorRun.perSecond
  const ratios = ours.map((run, round) => run.perSecond / (floor[round]?.perSecond ?? Number.NaN))
  return {
    name,
    unit: 'requests/s',
    floor: floorRun.perSecond,
    measured: oursRun.perSecond,
    ratio,
    goal: ratioMin === null ? `none (of ${against})` : `≥ ${ratioMin.toFixed(2)} of ${against}`,
    holds: ratioMin === null || ratio >= ratioMin,
    details: {
      'ratio least': Math.min(...ratios),
      'ratio most': Math.max(...ratios),
      'others on the machine %':
        100 * Math.max(...[...floor, ...ours].map(({ foreignShare }) => foreignShare)),
      ...detailsOf('ours', oursRun),
      ...detailsOf('floor', floorRun),
      ...(peer === undefined
        ? {}
        : {
            'peer requests/s': medianRun(peer).perSecond,
            'peer of floor': medianRun(peer).perSecond / floorRun.perSecond,
            ...detailsOf('peer', medianRun(peer)),
          }),
    },
  }
}

/** The slowest hundredth of the same rounds: the median of its p99, and its quotient, as for the rate. */
export function tailFigure(
  { name, against, p99RatioMax }: RatioGoal,
  { floor, ours, peer }: RatioRuns,
): GoalFigure {
  const [floorMs, oursMs] = [medianRun(floor).p99Ms, medianRun(ours).p99Ms]
  const ratio = oursMs / floorMs
  const ratios = ours.map((run, round) => run.p99Ms / (floor[round]?.p99Ms ?? Number.NaN))
  return {
    name: `${name}: p99`,
    unit: 'ms',
    floor: floorMs,
    measured: oursMs,
    ratio,
    goal: p99RatioMax === null ? `none (of ${against})` : `≤ ${p99RatioMax.toFixed(1)} of ${against}`,
    holds: p99RatioMax === null || ratio <= p99RatioMax,
    details: {
      'ratio least': Math.min(...ratios),
      'ratio most': Math.max(...ratios),
      ...(peer === undefined ? {} : { 'peer of floor': medianRun(peer).p99Ms / floorMs }),
    },
  }
}

/** Both rows of a goal. */
export function ratioFigures(goal: RatioGoal, runs: RatioRuns): readonly GoalFigure[] {
  return [ratioFigure(goal, runs), tailFigure(goal, runs)]
}
