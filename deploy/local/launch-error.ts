/** Why the system cannot start: one sentence for the operator, with what to do about it. */
export class LaunchError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'LaunchError'
  }
}
