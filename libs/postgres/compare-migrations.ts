/** The difference between the migrations of a schema and those of a release. */
export interface MigrationDifference {
  /** Missing in the schema, in order. */
  readonly missing: readonly string[]
  /** Unknown to the release: a newer release applied them. */
  readonly newer: readonly string[]
}

/** Compares what a release has with what was applied, by name. */
export function compareMigrations(known: readonly string[], applied: readonly string[]): MigrationDifference {
  return {
    missing: known.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !known.includes(name)),
  }
}
