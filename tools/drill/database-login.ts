/** How a program of Postgres logs in without showing a password in the list of processes. */
export interface DatabaseLogin {
  /** The URL without its password. */
  readonly url: string
  /** Beside the rest of the environment: the password, if there was one. */
  readonly env: Readonly<Record<string, string>>
}

/** Takes the password out of a `postgres://` URL, where it stands before the host or among the parameters. */
export function databaseLogin(databaseUrl: string): DatabaseLogin {
  const url = new URL(databaseUrl)
  const password = url.password === '' ? url.searchParams.get('password') : decodeURIComponent(url.password)
  url.password = ''
  url.searchParams.delete('password')
  return { url: url.href, env: password === null ? {} : { PGPASSWORD: password } }
}
