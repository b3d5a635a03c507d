import { Shares } from '#sdk/shares.js'
import { Snippets } from '#sdk/snippets.js'
import { type CallOptions, createTransport } from '#sdk/transport.js'
import { type Credentials, clientOptions } from '../dashboard/api/client-options.js'
import { idempotencyKeyOf } from '../dashboard/api/idempotency-key.js'
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
 * @throws SnipkeepError, or the reason of `signal`.
 */
export async function keepOutput(
  session: Credentials,
  { purpose, tool, key, title, expiresIn, output, allowSecrets }: KeptOutput,
  form: string,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Kept> {
  const send = createTransport({ ...clientOptions(session), userAgent: null })
  const fields = { tool, key, title: title || undefined }
  const gate = {
    expiresIn: expiresIn === '' ? undefined : Number(expiresIn),
    allowSecrets: allowSecrets || undefined,
  }
  const idempotencyKey = await idempotencyKeyOf(form, { purpose, ...fields, ...gate, json: output })
  const wanted = { ...fields, content: output, idempotencyKey }
  const options: CallOptions = {
    signal,
    onProgress: ({ sent, total }) => onProgress(total ? sent / total : 1),
  }
  return purpose === 'save'
    ? new Snippets(send).create(wanted, options)
    : new Shares(send).create({ ...wanted, ...gate }, options)
}
