import type { ServerResponse } from 'node:http'

export interface SandboxResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

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

/** Redirects a browser after a form. */
export function seeOther(location: string): SandboxResponse {
  return { status: 303, headers: { Location: location, 'Cache-Control': 'no-store' }, body: '' }
}

export function sendResponse(response: ServerResponse, { status, headers, body }: SandboxResponse): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}
