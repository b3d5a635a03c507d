// A client for large documents: it has the body ready, and uploads and downloads at full speed.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { connect } from 'node:net'
import { largeBody } from './large-document.js'

/** What to do: upload the document, or download from this URL. */
export interface ClientOrder {
  readonly url: string
  readonly token: string
  readonly upload: boolean
}

/** The result: the id of the upload, or the digest of the download. */
export interface ClientResponse {
  readonly status: number
  readonly seconds: number
  readonly id: string
  readonly sha256: string
}

const piece = 262_144
const body = largeBody(readFileSync(process.env.DOCUMENT ?? ''))

async function send(outgoing: ClientRequest): Promise<void> {
  for (let at = 0; at < body.length; at += piece) {
    if (!outgoing.write(body.subarray(at, at + piece)))
      await new Promise((resolve) => outgoing.once('drain', resolve))
  }
  outgoing.end()
}

/** Uploads the document; returns the status and text of the response. */
function upload({ url, token }: ClientOrder): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    }
    const outgoing = request(url, { method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      )
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    send(outgoing).catch(reject)
  })
}

const received = Buffer.allocUnsafeSlow(2 * body.length).fill(0)

/**
 * Downloads the raw document over a bare socket into preallocated memory: a client that costs next to
 * nothing.
 */
function download({ url, token }: ClientOrder): Promise<{ status: number; bytes: Buffer }> {
  const { hostname, port, pathname } = new URL(url)
  return new Promise((resolve, reject) => {
    let filled = 0
    const socket = connect({
      host: hostname,
      port: Number(port),
      onread: {
        buffer: () => received.subarray(filled, filled + 1_048_576),
        callback(bytes) {
          filled += bytes
          return true
        },
      },
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const head = received.subarray(0, 8_192).toString('latin1')
      const bytes = received.subarray(head.indexOf('\r\n\r\n') + 4, filled)
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), bytes })
    })
    socket.write(
      `GET ${pathname}/raw HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    )
  })
}

async function carryOut(order: ClientOrder): Promise<ClientResponse> {
  const startedAt = performance.now()
  const seconds = (): number => (performance.now() - startedAt) / 1_000
  if (order.upload) {
    const { status, text } = await upload(order)
    const { id } = JSON.parse(text) as { id: string }
    return { status, seconds: seconds(), id, sha256: '' }
  }
  const { status, bytes } = await download(order)
  return { status, seconds: seconds(), id: '', sha256: createHash('sha256').update(bytes).digest('hex') }
}

process.on('message', async (order: ClientOrder) => process.send?.(await carryOut(order)))
process.on('disconnect', () => process.exit())
