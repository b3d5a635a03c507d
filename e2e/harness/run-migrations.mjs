// Migrates a schema of MIGRATE_URL in its own process. `run-migrations.mjs SERVICE COUNT` applies the first
// migrations of a service, `run-migrations.mjs after NAME` all of the service whose first migration has that
// name, and `run-migrations.mjs shop` those of a shop that exists only in tests.

/** A module of the build, as an operator runs it. */
const built = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href)

const { migrate } = await built('libs/postgres/migrate.js')
const { createIndexConcurrently } = await built('libs/postgres/create-index-concurrently.js')
const [service, count] = process.argv.slice(2)

const shop = [
  {
    name: '0001-item',
    up: (db) =>
      db.raw(
        'CREATE TABLE item (id integer PRIMARY KEY, text text); INSERT INTO item SELECT n, n::text FROM generate_series(1, 2000) AS n',
      ),
  },
  { name: '0002-note', up: (db) => db.raw('CREATE TABLE note (text text); SELECT pg_sleep(0.3)') },
  createIndexConcurrently('0003-index', 'item_text', 'item (text)'),
  { name: '0004-noted', up: (db) => db.raw("INSERT INTO note VALUES ('0004'); SELECT pg_sleep(0.05)") },
]

const services = ['content', 'identity', 'activity', 'billing']

async function migrationsOf(name) {
  return (await built(`services/${name}/migrate.js`)).migrations
}

async function listOf() {
  if (service === 'shop') return shop
  if (service !== 'after') return (await migrationsOf(service)).slice(0, Number(count))
  const lists = await Promise.all(services.map(migrationsOf))
  return lists.find(([first]) => first.name === count) ?? []
}

const schema = process.env.MIGRATE_SCHEMA ?? service
await migrate({ url: process.env.MIGRATE_URL, schema, role: null }, await listOf())
