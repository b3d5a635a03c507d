import { vacuumSooner } from '#libs/postgres/vacuum-sooner.js'

/** Tables whose rows come and go, or change all the time. */
export const vacuumActivitySooner = vacuumSooner('0003-vacuum-sooner', ['entry', 'idempotency_key', 'owner'])
