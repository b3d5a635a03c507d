import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { programEnvironment } from '../embedded-postgres/program-environment.js'

/** Takes the password out of a `postgres://` URL, before the host or in the parameters, for PGPASSWORD. */
export function databaseLogin(databaseUrl: string): {
  readonly url: string
  readonly env: Readonly<Record<string, string>>
} {
  const url = new URL(databaseUrl)
  const password = url.password === '' ? url.searchParams.get('password') : decodeURIComponent(url.password)
  url.password = ''
  url.searchParams.delete('password')
  return { url: url.href, env: password === null ? {} : { PGPASSWORD: password } }
}

/** Runs a program of Postgres on a database, whose password stays off the command line; returns its output. */
export async function runOn(bin: string, name: string, databaseUrl: string, args: readonly string[]) {
  const { url, env } = databaseLogin(databaseUrl)
  const options = { env: { ...programEnvironment(), ...env }, maxBuffer: 64 * 1024 * 1024 }
  return (await promisify(execFile)(join(bin, name), [`--dbname=${url}`, ...args], options)).stdout
}
