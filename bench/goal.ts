/** One promise about speed or size, and what a run has found. */
export interface GoalFigure {
  readonly name: string
  /** What `floor` and `measured` are counted in, such as `requests/s` or `MB`. */
  readonly unit: string
  /** The same work by as little code as it takes, in the same run; `null` where the bound is absolute. */
  readonly floor: number | null
  readonly measured: number
  /** `measured` by `floor`; `null` without a floor. */
  readonly ratio: number | null
  /** As people read it, such as `≥ 0.60`. */
  readonly goal: string
  readonly holds: boolean
  /** Further figures worth keeping, by name with their unit, such as `p99 ms`. */
  readonly details?: Readonly<Record<string, number>>
}
