import { createHash } from 'node:crypto'
import type { Hashing } from '../ports.js'

export const nodeHashing: Hashing = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
}
