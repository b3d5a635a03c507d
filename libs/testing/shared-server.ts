import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { StartedTestContainer } from 'testcontainers'

/** A server that the tests of a run share. */
export interface SharedServer {
  stop(): Promise<void>
}

interface Entry {
  users: number
  readonly server: Promise<SharedServer>
}

declare global {
  /** Each vitest project loads the setups again, so shared servers are kept on the process. */
  var snipkeepTestServers: Map<string, Entry> | undefined
}

/** The server of this name: the first project that needs it starts it, and the last one stops it. */
export async function shareServer<S extends SharedServer>(
  name: string,
  start: () => Promise<S>,
): Promise<{ readonly server: S; release(): Promise<void> }> {
  globalThis.snipkeepTestServers ??= new Map()
  const entries = globalThis.snipkeepTestServers
  const entry = entries.get(name) ?? { users: 0, server: start() }
  entries.set(name, entry)
  entry.users += 1
  return {
    // All callers with this name start the same kind of server.
    server: (await entry.server) as S,
    async release() {
      entry.users -= 1
      if (entry.users > 0) return
      entries.delete(name)
      await (await entry.server).stop()
    },
  }
}

/** A container from `start`, with what `read` returns; `null` without Docker. */
export async function inContainer<T>(
  start: (docker: typeof import('testcontainers')) => Promise<StartedTestContainer>,
  read: (container: StartedTestContainer) => T,
): Promise<(T & SharedServer) | null> {
  try {
    await promisify(execFile)('docker', ['info'], { timeout: 5_000 })
    const container = await start(await import('testcontainers'))
    return {
      ...read(container),
      stop: async () => {
        await container.stop()
      },
    }
  } catch {
    return null
  }
}
