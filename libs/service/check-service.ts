import type { Check } from '../doctor/run-doctor.js'
import { checkSchema } from '../postgres/check-schema.js'
import type { Migration } from '../postgres/migrate.js'
import { peerChecks } from './check-peers.js'
import type { ServiceConfig } from './service-config.js'

/** The checks of a service with a schema: its database and its peers. */
export function serviceChecks(
  service: string,
  config: Pick<ServiceConfig, 'certificates' | 'database'>,
  migrations: readonly Migration[],
  targets: Readonly<Record<string, string>> = {},
): readonly Check[] {
  const target = {
    database: config.database,
    migrations: migrations.map(({ name }) => name),
    migrateCommand: `node dist/services/${service}/main.js migrate`,
  }
  return [{ name: 'database', run: () => checkSchema(target) }, ...peerChecks(service, config, targets)]
}
