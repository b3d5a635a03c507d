import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The field in which Node keeps the current response of a connection. */
interface Inside {
  readonly _httpMessage?: ServerResponse | null
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null
}

/** The response in progress on a connection; `null` while it is idle. */
export function currentResponse(socket: Duplex): ServerResponse | null {
  return (socket as Duplex & Inside)._httpMessage ?? null
}

/** Whether this response is for the last request that arrived on its connection. */
export function respondsToLastRequest(socket: Duplex, response: ServerResponse): boolean {
  return (socket as Duplex & Inside).parser?.incoming === response.req
}
