import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What was received on a raw connection until it closed or fell silent. */
export interface RawResponse {
  readonly text: string
  /** The status of every response in the bytes, in order. */
  readonly statuses: readonly number[]
  readonly closed: boolean
}

/** How long to wait for the first byte, and for more after each. */
interface Waits {
  readonly silentMs?: number
  readonly quietMs?: number
  /** A pause after each piece. */
  readonly pauseMs?: number
}

/** Sends bytes exactly as they are, in several writes if given several chunks, and reads the response. */
export async function rawHttp(
  baseUrl: string,
  pieces: string | Buffer | readonly (string | Buffer)[],
  { silentMs = 20_000, quietMs = 2_000, pauseMs }: Waits = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  const received: Buffer[] = []
  let closed = false
  let lastAt = performance.now()
  socket.on('data', (chunk) => {
    received.push(chunk)
    lastAt = performance.now()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
  })
  for (const piece of Array.isArray(pieces) ? pieces : [pieces]) {
    if (!socket.writable) break
    socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)
    if (pauseMs !== undefined) await sleep(pauseMs)
  }
  lastAt = performance.now()
  const quietFor = (): number => (received.length === 0 ? silentMs : quietMs)
  while (!closed && performance.now() - lastAt < quietFor()) await sleep(10)
  socket.destroy()
  const text = Buffer.concat(received).toString('latin1')
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))
  return { text, statuses, closed }
}
