/** The idempotency key of a form's request: the same for the same output, new when it changes. */
export async function idempotencyKeyOf<Output extends { readonly json: Blob }>(
  form: string,
  { json, ...fields }: Output,
): Promise<string> {
  const bytes = await new Blob([JSON.stringify(fields), json]).arrayBuffer()
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${form}-${hex}`
}
