/** A goal for speed or size, and the result of a run. */
export interface GoalFigure {
  readonly name: string
  /** The unit of `floor` and `measured`, such as `requests/s` or `MB`. */
  readonly unit: string
  /** The same work in minimal code, in the same run; `null` if the bound is absolute. */
  readonly floor: number | null
  readonly measured: number
  /** `measured` / `floor`; `null` without a floor. */
  readonly ratio: number | null
  /** Formatted, such as `≥ 0.60`. */
  readonly goal: string
  readonly holds: boolean
  /** Further figures worth keeping, by name and unit, such as `p99 ms`. */
  readonly details?: Readonly<Record<string, number>>
}
