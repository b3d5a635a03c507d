/** The environment of Postgres programs: English, UTC, and none of our secrets. */
export function programEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' }
}
