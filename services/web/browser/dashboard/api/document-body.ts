/** What stands beside the data of a new snippet or share. */
export interface DocumentFields {
  readonly tool: string
  readonly title: string
  readonly tags?: readonly string[]
  /** Of a share: seconds. */
  readonly expires_in?: number
}

/** The body of a request with this data in it, byte for byte: the data must be the text of one JSON object. */
export function documentBody(fields: DocumentFields, data: Blob): Blob {
  const envelope = JSON.stringify(fields)
  return new Blob([`${envelope.slice(0, -1)},"data":`, data, '}'], { type: 'application/json' })
}
