import type { Credentials } from './api.js'
import { networkProblem, readProblem } from './api-problem.js'

export interface Upload {
  readonly path: string
  readonly body: Blob
  /** Default `application/json`. */
  readonly contentType?: string
  /** Makes the request safe to retry. */
  readonly idempotencyKey: string
  readonly signal: AbortSignal
  /** Called with the share that has been sent, from 0 to 1. */
  onProgress(share: number): void
}

interface Sent {
  readonly status: number
  readonly body: string
  header(name: string): string | null
}

/** `fetch` reports no upload progress; XMLHttpRequest does. */
function sendOnce(sent: Upload, token: string | null) {
  const { path, body, contentType = 'application/json', idempotencyKey, signal, onProgress } = sent
  return new Promise<Sent>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = (): void => request.abort()
    request.open('POST', path)
    request.setRequestHeader('Content-Type', contentType)
    request.setRequestHeader('Idempotency-Key', idempotencyKey)
    if (token !== null) request.setRequestHeader('Authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.onload = () =>
      resolve({
        status: request.status,
        body: request.responseText,
        header: (name) => request.getResponseHeader(name),
      })
    request.onerror = () => reject(networkProblem())
    request.onabort = () => reject(signal.reason)
    request.onloadend = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort)
    request.send(body)
  })
}

/**
 * Uploads a body that may be large, and reports progress. A rejected credential is renewed once.
 * @throws ApiProblem, or the abort reason of `signal`.
 */
export async function upload<T>(session: Credentials, request: Upload): Promise<T> {
  request.signal.throwIfAborted()
  const first = await sendOnce(request, await session.credential())
  const sent =
    first.status === 401 && (await session.renew())
      ? await sendOnce(request, await session.credential())
      : first
  if (sent.status < 200 || sent.status > 299) throw readProblem(sent)
  const created: T = JSON.parse(sent.body)
  return created
}
