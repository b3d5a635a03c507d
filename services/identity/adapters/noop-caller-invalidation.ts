import type { CallerInvalidation } from '../ports.js'

/** Does nothing: without Redis each gateway drops cached callers by itself within five seconds. */
export const noopCallerInvalidation: CallerInvalidation = { invalidate: async () => {} }
