import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { DomainError } from '#libs/core/domain-error.js'
import { RequestAborted } from '../../request/request-context.js'
import type { Envelope } from '../envelope-scanner.js'
import {
  type BodyRules,
  defaultBodyTimeLimits,
  type ReceivedBody,
  readBody,
  readBodyHeaders,
} from '../read-body.js'
import { createUploadBudget } from '../upload-budget.js'
import { type MemorySinks, memorySinks } from './memory-sink.js'
import { testRules } from './verdicts.js'

/** The received body, or the error. */
export interface Outcome {
  readonly received: ReceivedBody<Envelope> | null
  readonly error: unknown
  /** The bytes received on the connection when reading ended. */
  readonly bytesRead: number
}

export interface BodyServer {
  readonly sinks: MemorySinks
  /** Sends a whole body with Node's client; with `chunked`, without a declared length. */
  send(body: Buffer, headers?: Record<string, string>, chunked?: boolean): Promise<Outcome>
  /** Opens a connection and sends a head; the test sends the rest. */
  connect(head: readonly string[]): Promise<Socket>
  /** The next outcome that no one has taken yet. */
  next(): Promise<Outcome>
  close(): Promise<void>
}

export const rulesForTests: BodyRules<Envelope> = {
  ...testRules,
  limits: defaultBodyTimeLimits,
  parse: (envelope) => envelope,
}

/** The error code, if there is one; throws any error without a code. */
export function codeOf({ error }: Outcome): string | undefined {
  if (error === null) return undefined
  if (error instanceof DomainError) return error.code
  throw error
}

/** Starts a loopback server that returns 200 or 400 and closes the connection after a rejection. */
export async function startBodyServer(
  rules: BodyRules<Envelope> = rulesForTests,
  sinks: MemorySinks = memorySinks(),
  budget = createUploadBudget(67_108_864),
): Promise<BodyServer> {
  const outcomes: Outcome[] = []
  const server = createServer({ requireHostHeader: false })
  const read = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    let received: ReceivedBody<Envelope> | null = null
    let error: unknown = null
    try {
      const headers = readBodyHeaders(incoming, rules)
      received = await readBody({ request: incoming, response }, headers, rules, sinks.open, budget)
    } catch (thrown) {
      error = thrown
    }
    outcomes.push({ received, error, bytesRead: incoming.socket.bytesRead })
    server.emit('outcome')
    if (error instanceof RequestAborted) return
    response.writeHead(error === null ? 200 : 400, incoming.complete ? {} : { Connection: 'close' })
    response.end()
    if (!incoming.complete) response.once('finish', () => incoming.socket.destroy())
  }
  const handle = (incoming: IncomingMessage, response: ServerResponse): void => void read(incoming, response)
  server.on('request', handle)
  server.on('checkContinue', handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  async function next(): Promise<Outcome> {
    while (outcomes.length === 0) await once(server, 'outcome')
    const outcome = outcomes.shift()
    if (outcome === undefined) throw new Error('an outcome was taken by another')
    return outcome
  }

  return {
    sinks,
    next,
    send(body, headers = {}, chunked = false) {
      const length: Record<string, string> = chunked ? {} : { 'Content-Length': String(body.length) }
      const outgoing = request({
        port,
        host: '127.0.0.1',
        method: 'POST',
        agent: false,
        headers: { 'Content-Type': 'application/json', ...length, ...headers },
      })
      outgoing.on('error', () => {})
      outgoing.on('response', (response) => response.resume())
      outgoing.end(body)
      return next()
    },
    async connect(head) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(`POST / HTTP/1.1\r\n${head.map((line) => `${line}\r\n`).join('')}\r\n`)
      return socket
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
