import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '#libs/core/message-of.js'
import { programEnvironment } from '#libs/embedded-postgres/program-environment.js'
import type { ServerUser } from '#libs/embedded-postgres/server-user.js'

/** The programs that come with Postgres. */
export interface Programs {
  /** The path of a program. */
  at(name: string): string
  /** Runs a program to its end, as the current user or another, and returns its output. */
  run(name: string, args: readonly string[], user?: ServerUser | null): Promise<string>
  /** The same for a program that connects to a database; the URL's password stays off the command line. */
  runOn(name: string, databaseUrl: string, args: readonly string[]): Promise<string>
}

/** The programs in a folder, or those on PATH. */
export function programsIn(folder: string | null): Programs {
  const at = (name: string): string => (folder === null ? name : join(folder, name))
  const run = async (
    name: string,
    args: readonly string[],
    user: ServerUser | null,
    login: Readonly<Record<string, string>>,
  ): Promise<string> => {
    try {
      // Another user may not have access to the current directory.
      const env = { ...programEnvironment(), ...login }
      const options = { env, cwd: '/', maxBuffer: 64 * 1024 * 1024, ...user }
      return (await promisify(execFile)(at(name), [...args], options)).stdout
    } catch (cause) {
      const said = messageOf(cause)
      throw new Error(`${name} failed: ${said}; PG_BIN names the folder of the programs of Postgres.`, {
        cause,
      })
    }
  }
  return {
    at,
    run: (name, args, user = null) => run(name, args, user, {}),
    runOn(name, databaseUrl, args) {
      const { url, env } = databaseLogin(databaseUrl)
      return run(name, [`--dbname=${url}`, ...args], null, env)
    },
  }
}

/** Logs a Postgres program in without showing the password in the process list. */
export interface DatabaseLogin {
  /** The URL without its password. */
  readonly url: string
  /** Added to the environment: the password, if there is one. */
  readonly env: Readonly<Record<string, string>>
}

/** Takes the password out of a `postgres://` URL, before the host or in the parameters. */
export function databaseLogin(databaseUrl: string): DatabaseLogin {
  const url = new URL(databaseUrl)
  const password = url.password === '' ? url.searchParams.get('password') : decodeURIComponent(url.password)
  url.password = ''
  url.searchParams.delete('password')
  return { url: url.href, env: password === null ? {} : { PGPASSWORD: password } }
}
