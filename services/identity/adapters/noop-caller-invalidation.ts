import type { CallerInvalidation } from '../ports.js'

/** Does nothing: without Redis, cached callers expire within five seconds. */
export const noopCallerInvalidation: CallerInvalidation = { invalidate: async () => {} }
