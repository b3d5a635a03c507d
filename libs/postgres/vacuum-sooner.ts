import type { Migration } from './migrate.js'

/**
 * A migration for tables whose rows come and go: they are vacuumed when a fiftieth of their rows is dead, not a fifth,
 * which in a table of a hundred million rows would be twenty million. Their out-of-line values count on their own.
 */
export function vacuumSooner(name: string, tables: readonly string[]): Migration {
  const settings = ['autovacuum_vacuum_scale_factor', 'autovacuum_vacuum_insert_scale_factor']
  const all = [
    ...settings,
    ...settings.map((setting) => `toast.${setting}`),
    'autovacuum_analyze_scale_factor',
  ]
  return {
    name,
    config: { transaction: false },
    async up(db) {
      for (const table of tables)
        await db.raw(`ALTER TABLE ${table} SET (${all.map((setting) => `${setting} = 0.02`).join(', ')})`)
    },
  }
}
