/** The quantile by the nearest rank: always one of the values, the largest for 1; 0 for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? 0
}

/** The median by the nearest rank, the lower of two; 0 for none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
