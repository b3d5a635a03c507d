import { optional, secret, text } from '../config/variables.js'

/** How a process reaches Redis, if there is one. */
export const redisVariables = {
  REDIS_URL: optional(
    secret(
      text(
        'Redis or Valkey, as a `redis://` URL: rate limits and invalidations are shared by it. Without it both are per process.',
      ),
    ),
  ),
}
