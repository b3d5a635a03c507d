import { createHmac } from 'node:crypto'
import type { Logger } from '#libs/log/logger.js'
import type { SandboxEvent, SandboxState } from './state.js'

export interface DeliverySettings {
  /** Called for each attempt; `null` while there is no receiver. */
  readonly webhookUrl: () => string | null
  readonly secret: string
  readonly log: Logger
}

/** Delivers events to the webhook. */
export interface Deliveries {
  /** Pauses deliveries while `held`. */
  hold(held: boolean): void
  /** Delivers new events immediately. */
  wake(): void
  stop(): Promise<void>
}

const timeoutMs = 10_000
const intervalMs = 250
const atOnce = 8
const waitSecondsMax = 60

/** The signature header of this body, as Stripe computes it. */
export function signatureOf(body: string, secret: string, seconds = Math.floor(Date.now() / 1_000)): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

async function send(event: SandboxEvent, url: string, secret: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: event.body,
      headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signatureOf(event.body, secret) },
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

/**
 * Delivers each event until it is accepted: at once, then after one second, two, four and so on up to a minute.
 * Deliveries run concurrently, so events arrive in any order, like Stripe's.
 * @param keep called after deliveries, to store that they need not be repeated.
 */
export function startDeliveries(
  state: SandboxState,
  { webhookUrl, secret, log }: DeliverySettings,
  keep: () => Promise<void>,
): Deliveries {
  let held = false
  let stopped = false
  let running: Promise<void> | null = null

  const deliver = async (event: SandboxEvent, url: string): Promise<void> => {
    if (await send(event, url, secret)) {
      event.delivered = true
      return
    }
    const seconds = Math.min(2 ** event.attempts, waitSecondsMax)
    event.attempts += 1
    event.nextAttemptMs = Date.now() + seconds * 1_000
    log.warn(
      {
        event: 'sandbox_delivery_failed',
        provider_event: event.id,
        type: event.type,
        again_in_seconds: seconds,
      },
      'webhook delivery failed; will retry',
    )
  }
  const round = async (): Promise<void> => {
    for (;;) {
      const url = webhookUrl()
      if (held || stopped || url === null) return
      const due = Object.values(state.events)
        .filter(({ delivered, nextAttemptMs }) => !delivered && nextAttemptMs <= Date.now())
        .slice(0, atOnce)
      if (due.length === 0) return
      await Promise.all(due.map((event) => deliver(event, url)))
      await keep()
    }
  }
  const wake = (): void => {
    if (stopped) return
    running ??= round()
      .catch((error: unknown) =>
        log.error({ event: 'sandbox_deliveries_failed', err: error }, 'webhook deliveries failed'),
      )
      .finally(() => {
        running = null
      })
  }
  const timer = setInterval(wake, intervalMs)
  return {
    hold(wanted) {
      held = wanted
      wake()
    },
    wake,
    async stop() {
      stopped = true
      clearInterval(timer)
      await running
    },
  }
}
