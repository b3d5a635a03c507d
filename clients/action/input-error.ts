/** What the author of a workflow can put right. */
export class InputError extends Error {
  override readonly name = 'InputError'
}
