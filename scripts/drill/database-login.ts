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
