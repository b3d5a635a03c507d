import { nodeHashing, randomEntryIds } from '../adapters/node-crypto.js'
import type { ActivityPorts } from '../ports.js'
import type { ActivityFixture } from './activity-fixture.js'
import { memoryHistoryStore } from './memory-history-store.js'

/** Activity in memory, with a clock that moves only by `passTime`. */
export function memoryFixture(): ActivityFixture & { readonly ports: ActivityPorts } {
  let time = Date.UTC(2030, 0, 1)
  const history = memoryHistoryStore(() => new Date(time))
  return {
    history,
    ports: { history, ids: randomEntryIds, hashing: nodeHashing },
    another: () => history,
    async passTime(ms) {
      time += ms
    },
  }
}
