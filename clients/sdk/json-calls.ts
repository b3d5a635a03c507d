import { jsonBody } from './content.js'
import type { Deleted } from './generated/types.js'
import type { ApiRequest, CallOptions, Transport } from './transport.js'

/** Makes the call safe to repeat for 24 hours; generated for each call by default. */
export interface Repeatable extends CallOptions {
  readonly idempotencyKey?: string | undefined
}

/** The JSON of the response to a request. */
export async function readJson<T>(send: Transport, request: ApiRequest, options?: CallOptions): Promise<T> {
  return (await (await send(request, options)).json()) as T
}

/** The fields of a JSON body. */
export type Fields<Body> = { readonly [Name in keyof Body]: Readonly<Body[Name]> }

/** A resource and what its version is called. */
export type Tagged<T> = T & {
  /** The ETag of what was read or written, for `ifMatch`; `null` if there is none. */
  readonly etag: string | null
}

/** The JSON of the response to a request, with its ETag. */
export async function readTagged<T>(
  send: Transport,
  request: ApiRequest,
  options?: CallOptions,
): Promise<Tagged<T>> {
  const response = await send(request, options)
  return { ...((await response.json()) as T), etag: response.headers.get('ETag') }
}

/** Posts a new resource, with an idempotency key. */
export function postJson<T>(send: Transport, path: string, body: unknown, options?: Repeatable): Promise<T> {
  const headers = { 'Idempotency-Key': options?.idempotencyKey ?? crypto.randomUUID() }
  return readJson(send, { method: 'POST', path, headers, body: jsonBody(JSON.stringify(body)) }, options)
}

/** Deletes the resource at a path. A repeated request may find it deleted already. */
export async function deleteResource(
  send: Transport,
  id: string,
  request: Pick<ApiRequest, 'path' | 'headers'>,
  options?: CallOptions,
): Promise<Deleted> {
  const response = await send({ method: 'DELETE', ...request }, options)
  return response.ok ? ((await response.json()) as Deleted) : { id, deleted: true }
}
