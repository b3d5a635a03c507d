/** What a program of Postgres gets of our environment: it speaks English in UTC, and sees no secret of ours. */
export function programEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' }
}
