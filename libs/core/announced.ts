/** How far an announcement to the caches of other processes went; `no-redis` where nothing was to carry it. */
export type Announced = 'told' | 'unreachable' | 'no-redis'
