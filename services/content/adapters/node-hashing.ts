import { createHash } from 'node:crypto'
import type { Hashing } from '../ports.js'

/** SHA-256 by Node's own library. */
export const nodeHashing: Hashing = {
  sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
  start() {
    const hash = createHash('sha256')
    return {
      update: (bytes) => {
        hash.update(bytes)
      },
      digest: () => hash.digest('hex'),
    }
  },
}
