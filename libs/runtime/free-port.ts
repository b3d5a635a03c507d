import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Listens on the port for a moment; resolves to the actual port, or rejects like `listen`. */
function probe(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port))
    })
  })
}

/** Ports below the ranges for outgoing connections, which could take one first: Linux starts at 32,768. */
const [portMin, portEnd] = [28_000, 32_768]
const tries = 100

/** Finds ports on which no one listens. */
export interface PortFinder {
  /**
   * A port that is free now: `preferred` if it is free, any for 0. It is not returned again for a while, even
   * if no one listens on it yet. Hosts as below.
   */
  free(preferred?: number, ...hosts: readonly string[]): Promise<number>
}

/** A finder that tries ports one after another, from a random one on. */
export function createPortFinder(): PortFinder {
  let next = randomInt(portMin, portEnd)
  const nextPort = (): number => {
    next = next + 1 < portEnd ? next + 1 : portMin
    return next
  }
  return {
    async free(preferred = 0, ...hosts) {
      let port = preferred === 0 ? nextPort() : preferred
      for (let tried = 0; tried < tries; tried += 1) {
        if ((await whyPortIsTaken(port, ...hosts)) === null) return port
        port = nextPort()
      }
      return probe(0, hosts[0] ?? '127.0.0.1')
    },
  }
}

/** One free port, for callers that need no more. */
export function freePort(preferred = 0, ...hosts: readonly string[]): Promise<number> {
  return createPortFinder().free(preferred, ...hosts)
}

/**
 * Why this port is not available now, as the system's error code (`EADDRINUSE`, `EACCES`, …); `null` if it is.
 * @param hosts all hosts it is needed on, by default 127.0.0.1. `localhost` is ::1 to some programs and 127.0.0.1 to
 *   others, so it means both.
 */
export async function whyPortIsTaken(port: number, ...hosts: readonly string[]): Promise<string | null> {
  for (const host of hosts.length === 0 ? ['127.0.0.1'] : hosts) {
    const code = host === 'localhost' ? await whyLocalhostIsTaken(port) : await whyTakenAt(port, host)
    if (code !== null) return code
  }
  return null
}

/** Whether this failure to listen means that the machine lacks the address, such as ::1 without IPv6. */
export function isAddressMissing(code: unknown): boolean {
  return code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'
}

async function whyLocalhostIsTaken(port: number): Promise<string | null> {
  const code = (await whyTakenAt(port, '127.0.0.1')) ?? (await whyTakenAt(port, '::1'))
  return isAddressMissing(code) ? null : code
}

async function whyTakenAt(port: number, host: string): Promise<string | null> {
  try {
    await probe(port, host)
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  }
}
