import type { Expected, LoadRequest } from './load-order.js'

/** One of several implementations that do the same work in turns. */
export interface Contender {
  readonly name: string
  readonly baseUrl: string
  readonly requests: readonly LoadRequest[]
  readonly expected: Expected
  /** Its processes, including all descendants. */
  readonly pids: readonly number[]
  /**
   * Sends some of the requests individually and compares the whole response.
   * @throws Error if one is wrong.
   */
  check(): Promise<void>
}
