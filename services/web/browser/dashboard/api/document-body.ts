/** The fields of a new snippet or share besides its data. */
export interface DocumentFields {
  readonly tool: string
  readonly title: string
  readonly tags?: readonly string[]
  /** For shares only, in seconds. */
  readonly expires_in?: number
  /** For shares only: the user knows of the secrets in it. */
  readonly allow_secrets?: true
  /** For shares only, as are the next. */
  readonly password?: string
  readonly max_views?: number
}

/** The request body with this data in it, byte for byte. `data` must be the text of one JSON object. */
export function documentBody(fields: DocumentFields, data: Blob): Blob {
  const envelope = JSON.stringify(fields)
  return new Blob([`${envelope.slice(0, -1)},"data":`, data, '}'], { type: 'application/json' })
}
