import type { Bench } from './bench.js'
import { withLz4Server } from './lz4-server.js'
import { measureReads } from './reads-beside-uploads.js'
import { measureTransfers, withLargeScene } from './transfers.js'

const where = ', lz4'

/** Documents of 50 MB on a server that compresses them by lz4, as most of those in production do. */
export const lz4Goal: Bench = {
  name: 'lz4',
  env: { LOG_LEVEL: 'warn' },
  measure: ({ startSystem, quick }) =>
    withLz4Server(async (server) => {
      if (server === null) {
        console.log(
          'Not measured with lz4: no Postgres of PG_BIN, PATH or Debian has it. Install one of Debian, or set TEST_DATABASE_URL to a server that has lz4.',
        )
        return []
      }
      const system = await startSystem({ serverUrl: server.url })
      try {
        return await withLargeScene(system, async (scene) => [
          ...(await measureTransfers(scene, quick, where)),
          await measureReads(scene, { quick, where, further: null }),
        ])
      } finally {
        // Before its server is.
        await system.stop()
      }
    }),
}
