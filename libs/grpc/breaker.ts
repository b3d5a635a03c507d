import type { Logger } from '../log/logger.js'
import { metrics } from '../telemetry/catalogue.js'
import { partUnavailable } from './status.js'

/** Rejects calls to a process that does not respond, until it does. */
export interface Breaker {
  /** @throws DomainError `unavailable`, at once, while the circuit is open. */
  check(): void
  /** Records that a call got a response, good or bad. */
  responded(): void
  /**
   * Records that a call got no response.
   * @param since when the wait began: the start of the call, or now if it has used all of its time.
   */
  lost(since: number): void
  /** Whether the circuit is open. */
  isOpen(): boolean
  close(): void
}

/** What a breaker watches. */
export interface BreakerDependencies {
  /** The name of the process in the log. */
  readonly process: string
  /** Checks whether the process serves, without side effects. */
  readonly isServing: () => Promise<boolean>
  readonly log: Logger
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
}

const lostMax = 5
const withinMs = 10_000
const probeIntervalMs = 1_000

/**
 * A breaker that opens after five consecutive calls, within ten seconds, got no response; calls that broke
 * off together, with one connection, count as one. While it is open, the health of the process is checked at
 * once and every second; calls are let through once it serves or responds to an earlier one, so no caller
 * waits for the probe.
 */
export function createBreaker({ process, isServing, log, now }: BreakerDependencies): Breaker {
  let lostAt: number[] = []
  let probing: NodeJS.Timeout | null = null
  const stopReading = metrics.breakerOpen.observe(() => [[[process], probing === null ? 0 : 1]])

  const open = (): void => {
    log.warn({ event: 'breaker_open', process }, 'circuit breaker open')
    const probe = async (): Promise<void> => {
      if ((await isServing()) && probing === timer) letThrough()
    }
    const timer = setInterval(probe, probeIntervalMs)
    timer.unref()
    probing = timer
    void probe()
  }

  const letThrough = (): void => {
    if (probing !== null) {
      clearInterval(probing)
      probing = null
      log.info({ event: 'breaker_closed', process }, 'circuit breaker closed')
    }
    lostAt = []
  }

  return {
    check() {
      if (probing !== null) throw partUnavailable()
    },
    responded() {
      if (lostAt.length > 0) letThrough()
    },
    lost(since) {
      const at = now()
      if (since < (lostAt.at(-1) ?? since)) return
      lostAt = [...lostAt.filter((before) => at - before < withinMs), at]
      if (lostAt.length >= lostMax && probing === null) open()
    },
    isOpen: () => probing !== null,
    close() {
      stopReading()
      if (probing !== null) clearInterval(probing)
      probing = null
    },
  }
}
