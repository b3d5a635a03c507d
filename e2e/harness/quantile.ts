/**
 * The value that such a share of all does not exceed, by the nearest rank: always one of them, the largest for 1.
 * 0 without any.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? 0
}

/** The value in the middle, by the nearest rank the lower of two; 0 without any. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
