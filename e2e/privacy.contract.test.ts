import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMigratedSchema, type MigratedSchema } from '#libs/testing/migrated-schema.js'
import { migrations as activity } from '../services/activity/migrate.js'
import { migrations as billing } from '../services/billing/migrate.js'
import { migrations as content } from '../services/content/migrate.js'
import { migrations as identity } from '../services/identity/migrate.js'

const page = readFileSync('docs/privacy.md', 'utf8')
const services = { activity, billing, content, identity }

interface Column {
  readonly table: string
  readonly column: string
}

/** The columns that a page classifies, as `service.table.column`. */
function classified(text: string): readonly string[] {
  const rows = [...text.matchAll(/^\| `(\w+\.\w+)` \|(.*)$/gm)]
  return rows.flatMap(([, table = '', cells = '']) =>
    [...cells.matchAll(/`(\w+)`/g)].map(([, column]) => `${table}.${column}`),
  )
}

/** What the page and the database do not agree on. */
function differences(text: string, columns: readonly string[]): readonly string[] {
  const named = classified(text)
  const twice = named.filter((name, index) => named.indexOf(name) !== index)
  return [
    ...columns.filter((name) => !named.includes(name)).map((name) => `${name} is not classified`),
    ...named.filter((name) => !columns.includes(name)).map((name) => `${name} does not exist`),
    ...twice.map((name) => `${name} is classified twice`),
  ]
}

const schemas: MigratedSchema[] = []
const columns: string[] = []

beforeAll(async () => {
  for (const [service, migrations] of Object.entries(services)) {
    const schema = await createMigratedSchema(`privacy_${service}`, migrations)
    schemas.push(schema)
    const { rows } = await schema.openPool({ servingRole: null, connectionsMax: 1 }).query<Column>(
      `SELECT columns.table_name AS table, columns.column_name AS column FROM information_schema.columns
       WHERE columns.table_schema = current_schema() AND columns.table_name NOT LIKE 'migrations%'`,
    )
    columns.push(...rows.map(({ table, column }) => `${service}.${table}.${column}`))
  }
})
afterAll(() => Promise.all(schemas.map((schema) => schema.close())))

describe('docs/privacy.md', () => {
  it('classifies every column of every table, and no others', () => {
    expect(columns.length).toBeGreaterThan(150)
    expect(differences(page, columns)).toEqual([])
  })

  it('would miss a new table, and would notice one that is gone', () => {
    expect(differences(page, [...columns, 'content.diary.text'])).toEqual([
      'content.diary.text is not classified',
    ])
    expect(
      differences(
        page,
        columns.filter((name) => name !== 'identity.account.email'),
      ),
    ).toEqual(['identity.account.email does not exist'])
  })

  it('names only variables that exist', () => {
    const documented = readFileSync('docs/configuration.md', 'utf8')
    const [kinds = ''] = page.split('## In the database')
    const named = [...kinds.matchAll(/`([A-Z][A-Z0-9_]+)(?:=\w+)?`/g)].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !documented.includes(`| \`${name}\` |`))).toEqual([])
  })
})
