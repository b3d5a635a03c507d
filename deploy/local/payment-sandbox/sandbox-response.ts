import type { ServerResponse } from 'node:http'

/** A response of the sandbox. */
export interface SandboxResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A JSON response. */
export function jsonResponse(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): SandboxResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: `${JSON.stringify(body)}\n`,
  }
}

/** Sends a browser to another page. */
export function seeOther(location: string): SandboxResponse {
  return { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' }, body: '' }
}

/** Writes a response. */
export function sendResponse(response: ServerResponse, { status, headers, body }: SandboxResponse): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}
