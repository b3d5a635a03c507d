/** The idempotency key of a form's request: the same for the same body, new when the body changes. */
export async function idempotencyKeyOf(form: string, body: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await body.arrayBuffer())
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${form}-${hex}`
}
