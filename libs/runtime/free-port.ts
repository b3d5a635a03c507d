import { createServer } from 'node:net'

/** Listens on the port for a moment; resolves to the port it got, or rejects as `listen` does. */
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

/** A port on which nobody listens at this moment, `preferred` if that is one of them. */
export async function freePort(preferred = 0, host = '127.0.0.1'): Promise<number> {
  try {
    return await probe(preferred, host)
  } catch {
    return probe(0, host)
  }
}

/**
 * Why nobody can listen on this port now, as the code of the system (`EADDRINUSE`, `EACCES`, …); `null` when somebody
 * can.
 */
export async function whyPortIsTaken(port: number, host = '127.0.0.1'): Promise<string | null> {
  try {
    await probe(port, host)
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  }
}
