import type { CallerInvalidation } from '../ports.js'

/** Tells nobody: without Redis each gateway forgets callers by itself, within its five seconds. */
export const silentCallerInvalidation: CallerInvalidation = { invalidate: async () => {} }
