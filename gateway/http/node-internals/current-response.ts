import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Where Node keeps what a connection is busy with. */
interface Inside {
  readonly _httpMessage?: ServerResponse | null
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null
}

/** The response that is being made or sent on a connection; `null` while it waits for a request. */
export function currentResponse(socket: Duplex): ServerResponse | null {
  return (socket as Duplex & Inside)._httpMessage ?? null
}

/** Whether no other request has arrived on its connection since the one that this response is for. */
export function respondsToLastRequest(socket: Duplex, response: ServerResponse): boolean {
  return (socket as Duplex & Inside).parser?.incoming === response.req
}
