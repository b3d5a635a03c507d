import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'

/** A request as it arrived. */
export interface ScriptedRequest {
  readonly method: string
  readonly path: string
  /** Of the query and the form. */
  readonly params: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
}

/** A response, or what happens to the connection instead. */
export type ScriptedReply =
  | { readonly status?: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** Never responds, and keeps the connection open. */
  | 'hang'
  /** Closes the connection before a response. */
  | 'reset'
  /** Closes the connection within a response. */
  | 'truncate'

/** A server whose responses are scripted. */
export interface ScriptedStripe {
  readonly url: string
  readonly requests: readonly ScriptedRequest[]
  close(): Promise<void>
}

/** A failed request's response in Stripe's format. */
export function stripeError(
  status: number,
  code: string | null,
  type = 'invalid_request_error',
  message = 'No.',
) {
  return { status, body: { error: { type, message, ...(code === null ? {} : { code }) } } }
}

async function readRequest(request: IncomingMessage): Promise<ScriptedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const url = new URL(request.url ?? '/', 'http://localhost')
  const params = new URLSearchParams([
    ...url.searchParams,
    ...new URLSearchParams(Buffer.concat(chunks).toString()),
  ])
  const { method = '', headers } = request
  return { method, path: url.pathname, params: Object.fromEntries(params), headers }
}

function send(response: ServerResponse, reply: ScriptedReply): void {
  if (reply === 'hang') return
  if (reply === 'reset') return void response.destroy()
  if (reply === 'truncate') {
    response.writeHead(200, { 'Content-Length': 1_000 })
    response.write('{"id":', () => response.destroy())
    return
  }
  const { status = 200, body, headers = {} } = reply
  response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'req_1', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/**
 * Starts a server that responds with the results of `script`, which also gets the number of earlier requests.
 */
export async function scriptedStripe(
  script: (request: ScriptedRequest, before: number) => ScriptedReply | Promise<ScriptedReply>,
): Promise<ScriptedStripe> {
  const requests: ScriptedRequest[] = []
  const server = createServer((incoming, response) => {
    void readRequest(incoming).then(async (request) => {
      requests.push(request)
      send(response, await script(request, requests.length - 1))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
