import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { StartedTestContainer } from 'testcontainers'

/** A server that the tests of a run use together. */
export interface SharedServer {
  stop(): Promise<void>
}

interface Entry {
  users: number
  readonly server: Promise<SharedServer>
}

declare global {
  /** Each vitest project loads the setups again, so what they share hangs on the process. */
  var snipkeepTestServers: Map<string, Entry> | undefined
}

/** The server of this name, started by the first project that asks for it and stopped by the last that is done. */
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
    // Whoever asks by this name starts the same kind of server.
    server: (await entry.server) as S,
    async release() {
      entry.users -= 1
      if (entry.users > 0) return
      entries.delete(name)
      await (await entry.server).stop()
    },
  }
}

/** A container as `start` makes it, with what `read` says of it; `null` without Docker. */
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
