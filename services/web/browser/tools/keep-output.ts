import { type Credentials, withQuery } from '../dashboard/api/api.js'
import { idempotencyKeyOf } from '../dashboard/api/idempotency-key.js'
import { upload } from '../dashboard/api/upload.js'
import type { Purpose } from './draft.js'

/** An output, and how it is to be kept. */
export interface KeptOutput {
  readonly purpose: Purpose
  readonly tool: string
  /** The member of `data` that holds it. */
  readonly key: string
  readonly title: string
  /** In seconds; empty for as long as the plan allows. */
  readonly expiresIn: string
  readonly output: Blob
  /** Whether secrets in it may be published. */
  readonly allowSecrets: boolean
}

/** What was made of it. */
export interface Kept {
  readonly id: string
  /** Of a share. */
  readonly share_url?: string
}

/**
 * Uploads an output as a new snippet or share of whoever is signed in. Sending the same again after a failure never
 * creates twice.
 * @param form identifies the attempts that are one.
 * @throws ApiProblem, or the reason of `signal`.
 */
export async function keepOutput(
  session: Credentials,
  { purpose, tool, key, title, expiresIn, output, allowSecrets }: KeptOutput,
  form: string,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Kept> {
  const path = withQuery(purpose === 'save' ? '/api/snippets' : '/api/shares', {
    tool,
    key,
    title,
    expires_in: purpose === 'share' ? expiresIn : '',
    allow_secrets: allowSecrets ? 'true' : '',
  })
  const idempotencyKey = await idempotencyKeyOf(form, new Blob([path, output]))
  return upload<Kept>(session, {
    path,
    body: output,
    contentType: 'text/plain',
    idempotencyKey,
    signal,
    onProgress,
  })
}
