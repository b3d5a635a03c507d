import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { databaseLogin, runOn } from './postgres-programs.js'

const bin = mkdtempSync(join(tmpdir(), 'snipkeep-programs-'))
afterAll(() => rmSync(bin, { recursive: true }))

it('a password is removed from the URL, wherever it was', () => {
  expect(databaseLogin('postgres://ada:p%40ss@db:5433/snipkeep?sslmode=require')).toEqual({
    url: 'postgres://ada@db:5433/snipkeep?sslmode=require',
    env: { PGPASSWORD: 'p@ss' },
  })
  expect(databaseLogin('postgres://db/snipkeep?user=ada&password=secret')).toEqual({
    url: 'postgres://db/snipkeep?user=ada',
    env: { PGPASSWORD: 'secret' },
  })
  expect(databaseLogin('postgres://ada@db/snipkeep')).toEqual({ url: 'postgres://ada@db/snipkeep', env: {} })
})

it('a Postgres program finds the password in its environment, and not in its arguments', async () => {
  writeFileSync(join(bin, 'pg_dump'), '#!/bin/sh\necho "arguments $* password $PGPASSWORD"\n', {
    mode: 0o755,
  })
  const said = await runOn(bin, 'pg_dump', 'postgres://ada:secret@db/snipkeep', ['--format=custom'])
  expect(said).toBe('arguments --dbname=postgres://ada@db/snipkeep --format=custom password secret\n')
})

it('the docs pass no program a URL with a password', () => {
  for (const page of ['docs/backup.md', 'docs/documents-in-s3.md'])
    expect(readFileSync(page, 'utf8')).not.toMatch(/^(pg_|psql|createdb).*(_URL"|:\/\/[^ ]*:[^ ]*@)/m)
})
