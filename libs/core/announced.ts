/** The outcome of a notification to other processes' caches; `no-redis` if Redis is not configured. */
export type Announced = 'told' | 'unreachable' | 'no-redis'
