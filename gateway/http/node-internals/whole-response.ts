import { type ServerResponse, STATUS_CODES } from 'node:http'

/** Node's internals: the serialized head of a response, the method that sends it, and the idle timeout. */
interface Inside {
  _header: string | null
  _send(data: string, encoding: 'latin1' | 'utf8'): boolean
  readonly _keepAliveTimeout: number
}

export function headerLine(name: string, value: string | number): string {
  return `${name}: ${value}\r\n`
}

export function headerLines(headers: Iterable<readonly [name: string, value: string | number]>): string {
  let lines = ''
  for (const [name, value] of headers) lines += headerLine(name, value)
  return lines
}

function listOf(lines: string): string[] {
  return lines
    .split('\r\n')
    .slice(0, -1)
    .flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
}

/** The current `Date` header (RFC 9110 §6.6.1), formatted once a second. */
function createHttpDate(): () => string {
  let second = 0
  let text = ''
  return () => {
    const now = Math.floor(Date.now() / 1_000)
    if (now !== second) {
      second = now
      text = new Date(now * 1_000).toUTCString()
    }
    return text
  }
}

/**
 * Sends a complete response: status, lines from `headerLine`, and body. No other header may be set on the response, and
 * no one validates names and values.
 * @param encoding `latin1` if each character of the body is one byte.
 */
export type SendWhole = (
  response: ServerResponse,
  status: number,
  lines: string,
  body: string,
  encoding: 'latin1' | 'utf8',
) => void

/**
 * Writes head and body in a single chunk. Node itself validates each header and writes an empty chunk after the body,
 * which makes a cached read a third slower (docs/decisions/0062-one-pipeline.md). Falls back to
 * `writeHead` and `end` if Node's internals are missing, for a HEAD, and on a connection that is about to close.
 */
export function createSendWhole(): SendWhole {
  const httpDate = createHttpDate()
  return (response, status, lines, body, encoding) => {
    const inside = response as ServerResponse & Partial<Inside>
    const plain =
      response.shouldKeepAlive && response.req.method !== 'HEAD' && !response.hasHeader('Connection')
    if (plain && inside._send !== undefined && inside._keepAliveTimeout !== undefined) {
      const seconds = Math.floor(inside._keepAliveTimeout / 1_000)
      response.statusCode = status
      inside._header = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}Date: ${httpDate()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`
      if (response.headersSent) {
        inside._send(body, encoding)
        response.end()
        return
      }
    }
    response.writeHead(status, listOf(lines))
    response.end(body, encoding)
  }
}
