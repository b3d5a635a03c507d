import type { TransportInit } from './transport.js'
import { bodiless } from './watch-silence.js'

/** What is used of `XMLHttpRequest`: the types of this package need no DOM. */
interface UploadRequest {
  readonly upload: { onprogress: (event: { readonly loaded: number }) => void }
  readonly status: number
  readonly statusText: string
  readonly response: Blob
  responseType: 'blob'
  onload: () => void
  onerror: () => void
  onabort: () => void
  onloadend: () => void
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getAllResponseHeaders(): string
  send(body: Blob): void
  abort(): void
}

function newRequest(): UploadRequest {
  const { XMLHttpRequest } = globalThis as unknown as { readonly XMLHttpRequest: new () => UploadRequest }
  return new XMLHttpRequest()
}

function headersOf(lines: string): Headers {
  const headers = new Headers()
  for (const line of lines.split('\r\n')) {
    const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) headers.append(name, value)
  }
  return headers
}

/** Sends a body by `XMLHttpRequest`. */
function upload(url: string, body: Blob, init: TransportInit): Promise<Response> {
  const { method = 'POST', headers, signal, onSent } = init
  return new Promise((resolve, reject) => {
    const request = newRequest()
    const abort = (): void => request.abort()
    request.open(method, url)
    request.responseType = 'blob'
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onSent?.(loaded)
    request.onload = () => {
      const { status, statusText } = request
      const received = bodiless.has(status) ? null : request.response
      resolve(
        new Response(received, { status, statusText, headers: headersOf(request.getAllResponseHeaders()) }),
      )
    }
    request.onerror = () => reject(new TypeError('the upload failed'))
    request.onabort = () => reject(signal?.reason)
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    if (signal?.aborted === true) return reject(signal.reason)
    signal?.addEventListener('abort', abort)
    request.send(body)
  })
}

/**
 * A `fetch` for `Snipkeep` in browsers that reports how far the upload of a `Blob` or `File` has come. The browser's own
 * cannot, so a long upload would look like silence.
 */
export const browserFetch: typeof fetch = (address, init) =>
  init?.body instanceof Blob ? upload(String(address), init.body, init) : fetch(address, init)
