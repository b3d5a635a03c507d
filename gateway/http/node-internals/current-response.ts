import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The internal fields in which Node keeps the response in progress and the request that was parsed last. */
interface Inside {
  readonly _httpMessage?: ServerResponse | null
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null
}

/** `null` while the connection is idle. */
export function currentResponse(socket: Duplex): ServerResponse | null {
  return (socket as Duplex & Inside)._httpMessage ?? null
}

/** Whether no further request has arrived on this response's connection. */
export function respondsToLastRequest(socket: Duplex, response: ServerResponse): boolean {
  return (socket as Duplex & Inside).parser?.incoming === response.req
}
