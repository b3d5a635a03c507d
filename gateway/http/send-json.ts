import type { ServerResponse } from 'node:http'

/** Header values by name. */
export type Headers = Readonly<Record<string, string | number>>

/** Sends a small JSON answer. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Headers = {},
): void {
  sendJsonText(response, status, JSON.stringify(body), headers)
}

/** Sends a small JSON answer that is text already. */
export function sendJsonText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Headers = {},
): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  })
  // A text leaves in one piece with the headers; bytes would be a second one.
  response.end(text)
}
