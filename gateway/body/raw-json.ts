/** The value of a field that is kept as it was sent: the text of one JSON value, checked and never parsed. */
export interface RawJson {
  readonly text: string
}
