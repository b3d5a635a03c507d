import { randomUUID } from 'node:crypto'
import { DomainError } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import type { Upstreams } from '../../upstreams.js'

const timeoutMs = 1_000

/** Asks identity whether accounts that a restored backup has brought back are erased again. */
export function erasuresDone(erasures: Upstreams['erasures']): () => Promise<boolean> {
  return async () => {
    try {
      const context = { requestId: randomUUID(), timeoutMs }
      return (await callUnary(erasures, erasures.countRestored, {}, context)).accounts === 0
    } catch (error) {
      // Identity of the previous release does not know the call.
      return !(error instanceof DomainError && ['unavailable', 'timeout'].includes(error.kind))
    }
  }
}
