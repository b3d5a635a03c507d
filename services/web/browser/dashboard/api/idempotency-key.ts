/** The key of a request by its form and its body: sent again as it is, it has the same one, and changed another. */
export async function idempotencyKeyOf(form: string, body: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await body.arrayBuffer())
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${form}-${hex}`
}
