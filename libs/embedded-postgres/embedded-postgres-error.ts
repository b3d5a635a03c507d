/** Why the embedded Postgres cannot run: one sentence for the operator, with what to do about it. */
export class EmbeddedPostgresError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'EmbeddedPostgresError'
  }
}
