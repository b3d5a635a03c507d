import { expect, it } from 'vitest'
import { readVariables } from '../config/read-variables.js'
import { postgresVariables } from './postgres-variables.js'

const read = (url: string) => readVariables(postgresVariables('role'), { DATABASE_URL: url }).DATABASE_URL

it.each([
  'postgres://user:p%40ss,word@host:5432/database',
  'postgresql://user@[::1]:5432/database?sslmode=require',
  'postgres://user@%2Fvar%2Frun%2Fpostgresql/database',
  'postgres:///database?host=/var/run/postgresql&target_session_attrs=any',
  'socket:/var/run/postgresql?db=database',
])('takes DATABASE_URL=%s as it is', (url) => {
  expect(read(url)).toBe(url)
})

it.each([
  'postgres://user:s3cret@one,two/database',
  'postgres://user:s3cret@one:5432,two:5433/database?target_session_attrs=read-write',
  'postgres://user:s3cret@one/database?target_session_attrs=read-write',
  'postgres://user:s3cret@/database?host=one,two',
])('refuses several hosts at startup, and says what to do instead: %s', (url) => {
  expect(() => read(url)).toThrow(/DATABASE_URL must be a URL of one host.*proxy/)
})

it.each(['host', 'mysql://user:s3cret@host/database', 'postgres://user:s3cret@host:port/database'])(
  'refuses what is no address of Postgres, without its password: %s',
  (url) => {
    expect(() => read(url)).toThrow(/DATABASE_URL must be a URL such as/)
    expect(() => read(url)).not.toThrow(/s3cret/)
  },
)
