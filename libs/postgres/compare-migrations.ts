/** How the migrations of a schema differ from those of a release. */
export interface MigrationDifference {
  /** The release has them and the schema does not, in order. */
  readonly missing: readonly string[]
  /** The schema has them and the release does not: a newer release applied them. */
  readonly newer: readonly string[]
}

/** Compares what a release has with what was applied, by name. */
export function compareMigrations(known: readonly string[], applied: readonly string[]): MigrationDifference {
  return {
    missing: known.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !known.includes(name)),
  }
}
