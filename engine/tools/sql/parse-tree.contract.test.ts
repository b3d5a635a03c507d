import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '#libs/testing/random.js'
import { createTestDatabase, type TestDatabase } from '#libs/testing/test-database.js'
import { randomSql } from '../testing/random-sql.js'
import { runOnText } from '../testing/run-tool.js'
import { postgresStatements } from '../testing/sql-scripts.js'
import { sqlFormat } from './sql-format.js'

const tables = `
create table t (id int, "Name" text, price numeric, "a  b" text, data jsonb, tags text[], at timestamptz);
create table orders (id int, total_2 numeric, price numeric, "Name" text, "a  b" text);
create schema s;
create table s.users (id int, "Name" text, price numeric, "a  b" text);
`

let database: TestDatabase
let client: pg.Client
let trees: string[] = []

beforeAll(async () => {
  database = await createTestDatabase('sql_format')
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(tables)
  await client.query('set client_min_messages = log; set debug_pretty_print = off')
  client.on('notice', ({ message = '', detail = '' }) => {
    if (/parse tree/.test(message)) trees.push(detail)
  })
})

afterAll(async () => {
  await client.end()
  await database.drop()
})

/** Trees without the places of their nodes in the text, and with objects numbered as they are met. */
function comparable(dumps: readonly string[]): readonly string[] {
  const objects: string[] = []
  return dumps.map((dump) =>
    dump
      .replace(/\s+/g, ' ')
      .replace(/:(?:\w+_)??(?:location|len|list_start|list_end) -?\d+/g, '')
      .replace(/\b\d{5}\b/g, (id) => {
        if (!objects.includes(id)) objects.push(id)
        return `#${objects.indexOf(id)}`
      })
      .replace(/ (?=[:{])/g, '\n'),
  )
}

/** What Postgres makes of a text: the trees of its statements, and its error if it refuses one. */
async function understood(
  sql: string,
): Promise<{ readonly trees: readonly string[]; readonly code: string }> {
  await client.query('begin; set local debug_print_parse = on')
  trees = []
  const refusal: unknown = await client.query(sql).catch((error: unknown) => error)
  const made = {
    trees: comparable(trees),
    code: refusal instanceof pg.DatabaseError ? (refusal.code ?? '') : '',
  }
  await client.query('rollback; deallocate all')
  return made
}

describe('Postgres', () => {
  it.each(postgresStatements)('understands the same of %.50j, formatted or not', async (sql) => {
    const formatted = await runOnText(sqlFormat, sql, { dialect: 'postgresql', keyword_case: 'preserve' })
    const expected = await understood(sql)
    expect(expected.code).toBe('')
    expect(expected.trees.length).toBeGreaterThan(0)
    expect(await understood(formatted)).toEqual(expected)
    const upper = await runOnText(sqlFormat, sql, {
      dialect: 'postgresql',
      keyword_case: 'upper',
      indent: 'tab',
    })
    expect(await understood(upper)).toEqual(expected)
  })

  it('understands or refuses random statements as before', async () => {
    let parsed = 0
    for (let seed = 0; seed < 100; seed += 1) {
      const sql = randomSql(seededRandom(seed))
        .replaceAll('public.users', 's.users')
        .replaceAll('"Order  Items"', 't')
      const formatted = await runOnText(sqlFormat, sql, { dialect: 'postgresql' })
      const expected = await understood(sql)
      parsed += expected.trees.length
      expect(await understood(formatted), sql).toEqual(expected)
    }
    expect(parsed).toBeGreaterThan(5)
  })

  it('sees where white space was lost', async () => {
    const { trees: one } = await understood("select 'foo'\n'bar'")
    const { trees: other, code } = await understood("select 'foo' 'bar'")
    expect(one.length).toBeGreaterThan(0)
    expect([other, code]).toEqual([[], '42601'])
  })
})
