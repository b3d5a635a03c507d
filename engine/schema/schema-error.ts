/** A schema that cannot be used. The message is safe to show; it ends without a place. */
export class SchemaError extends Error {
  readonly code:
    | 'schema_invalid'
    | 'schema_unsupported'
    | 'schema_ref_not_found'
    | 'schema_ref_remote'
    | 'schema_endless'
    | 'schema_too_costly'
  /** The node of the schema that is wrong. */
  readonly node: number

  constructor(code: SchemaError['code'], message: string, node: number) {
    super(message)
    this.code = code
    this.node = node
  }
}
