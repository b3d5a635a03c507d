/** An error that the workflow's author can fix. */
export class InputError extends Error {
  override readonly name = 'InputError'
}
