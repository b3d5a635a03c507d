import type { Expected, LoadRequest } from './load-order.js'

/** One of those that do the same work in turns. */
export interface Contender {
  readonly name: string
  readonly baseUrl: string
  readonly requests: readonly LoadRequest[]
  readonly expected: Expected
  /** Its processes, each with all that descend from it. */
  readonly pids: readonly number[]
  /**
   * Sends some of the requests by itself and compares the whole response.
   * @throws Error when one is wrong.
   */
  check(): Promise<void>
}
