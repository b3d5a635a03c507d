import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '#libs/core/message-of.js'
import { programEnvironment } from '#libs/embedded-postgres/program-environment.js'
import type { ServerUser } from '#libs/embedded-postgres/server-user.js'

/** The programs that come with Postgres. */
export interface Programs {
  /** Where one lies. */
  at(name: string): string
  /** Runs one to its end, as ourselves or as another user, and gives what it printed. */
  run(name: string, args: readonly string[], user?: ServerUser | null): Promise<string>
}

/** The programs in a folder, or those on PATH. */
export function programsIn(folder: string | null): Programs {
  const at = (name: string): string => (folder === null ? name : join(folder, name))
  return {
    at,
    async run(name, args, user = null) {
      try {
        // Another user may not be allowed to be where we are.
        const options = { env: programEnvironment(), cwd: '/', maxBuffer: 64 * 1024 * 1024, ...user }
        return (await promisify(execFile)(at(name), [...args], options)).stdout
      } catch (cause) {
        const said = messageOf(cause)
        throw new Error(`${name} failed: ${said}; PG_BIN names the folder of the programs of Postgres.`, {
          cause,
        })
      }
    },
  }
}
