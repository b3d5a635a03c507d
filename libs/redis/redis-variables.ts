import { optional, secret, text } from '../config/variables.js'

/** A URL that the driver accepts; it is secret, so no error may show it. */
function redisUrl(raw: string): string {
  const problem = new Error('a URL such as redis://:password@host:6379/0, or rediss:// for TLS')
  if (!URL.canParse(raw)) throw problem
  const { protocol, hostname, pathname, username, password } = new URL(raw)
  if (!/^rediss?:$/.test(protocol) || hostname === '' || !/^(\/\d{0,3})?$/.test(pathname)) throw problem
  try {
    decodeURIComponent(username + password)
  } catch {
    throw problem
  }
  return raw
}

/** The Redis variables of a process. */
export const redisVariables = {
  REDIS_URL: optional(
    secret({
      ...text(
        'Redis or Valkey, as a `redis://` URL. Processes share rate limits and invalidations through it. Unset, both are per process.',
      ),
      parse: redisUrl,
    }),
  ),
}
