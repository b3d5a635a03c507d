import type { Client } from '@grpc/grpc-js'
import type { Logger } from '../log/logger.js'
import { metrics } from '../telemetry/catalogue.js'
import { partUnavailable } from './status.js'

/** Keeps calls from a process that does not answer, until it does. */
export interface Breaker {
  /** @throws DomainError `unavailable`, at once, while the process is known not to answer. */
  check(): void
  /** Notes that a call was answered, well or not. */
  answered(): void
  /** Notes that a call was not answered, in time or at all. */
  lost(): void
  /** Whether calls are kept back. */
  isOpen(): boolean
  close(): void
}

/** What a breaker watches. */
export interface BreakerParts {
  /** Names the process in the log. */
  readonly process: string
  /** Asks whether the process serves, without any other effect. */
  readonly isServing: () => Promise<boolean>
  readonly log: Logger
  /** Milliseconds that only grow. */
  readonly now: () => number
}

const lostMax = 5
const withinMs = 10_000
const probeIntervalMs = 1_000

/**
 * A breaker that opens when five calls in a row, within ten seconds, were lost. While it is open the process is asked
 * every second whether it serves, and calls are let through again once it says so: no caller waits for the finding.
 */
export function createBreaker({ process, isServing, log, now }: BreakerParts): Breaker {
  let lostAt: number[] = []
  let probing: NodeJS.Timeout | null = null
  metrics.breakerOpen.observe(() => [[[process], probing === null ? 0 : 1]])

  const open = (): void => {
    log.warn({ process }, 'calls are kept back: the process does not answer')
    const timer = setInterval(async () => {
      if (!(await isServing()) || probing !== timer) return
      clearInterval(timer)
      probing = null
      lostAt = []
      log.info({ process }, 'calls are let through: the process answers')
    }, probeIntervalMs)
    timer.unref()
    probing = timer
  }

  return {
    check() {
      if (probing !== null) throw partUnavailable()
    },
    answered() {
      if (lostAt.length > 0) lostAt = []
    },
    lost() {
      const at = now()
      lostAt = [...lostAt.filter((before) => at - before < withinMs), at]
      if (lostAt.length >= lostMax && probing === null) open()
    },
    isOpen: () => probing !== null,
    close() {
      if (probing !== null) clearInterval(probing)
      probing = null
    },
  }
}

const breakers = new WeakMap<Client, Breaker>()

/** Has the calls of these clients, by `call.ts`, go through a breaker. */
export function guardClients(breaker: Breaker, clients: readonly Client[]): void {
  for (const client of clients) breakers.set(client, breaker)
}

/** The breaker that the calls of a client go through, if there is one. */
export function breakerOf(client: Client): Breaker | undefined {
  return breakers.get(client)
}
