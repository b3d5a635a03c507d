import { DomainError, unavailable } from '#libs/core/domain-error.js'
import { RequestAborted } from '../request/request-context.js'
import type { DocumentReader } from './rate-limits.js'

export interface SlotRules {
  /** Completes "You are already …": `reading large documents`. */
  readonly activity: string
  readonly max: number
  /** How many slots anonymous readers may hold; the rest are reserved for accounts. */
  readonly anonymousMax: number
  readonly perReaderMax: number
  /** How long a reader waits for a slot. */
  readonly waitMs: number
  /** The maximum length of the queue, in total and for one reader. */
  readonly waitersMax: number
  readonly waitersPerReaderMax: number
}

interface Waiter {
  readonly reader: DocumentReader
  start(release: () => void): void
}

function tooMany({ activity, perReaderMax }: SlotRules, own: boolean): DomainError {
  if (!own) return unavailable(`Too many clients are ${activity}. Try again shortly.`)
  const message = `You are already ${activity} in ${perReaderMax} requests at once. Wait for one to finish.`
  return new DomainError('rate-limited', 'rate_limited', message, { limit: perReaderMax, retry_after: 1 })
}

/** The queue is first in, first out, but accounts come before anonymous readers. */
export function createSlots(rules: SlotRules) {
  const { max, anonymousMax, perReaderMax, waitMs, waitersMax, waitersPerReaderMax } = rules
  const held = new Map<string, number>()
  const waiting = new Set<Waiter>()
  let total = 0
  let anonymous = 0

  const heldBy = ({ subject }: DocumentReader): number => held.get(subject) ?? 0
  const isFree = (reader: DocumentReader): boolean =>
    total < max && heldBy(reader) < perReaderMax && (!reader.anonymous || anonymous < anonymousMax)

  const count = (reader: DocumentReader, by: 1 | -1): void => {
    total += by
    if (reader.anonymous) anonymous += by
    const left = heldBy(reader) + by
    if (left === 0) held.delete(reader.subject)
    else held.set(reader.subject, left)
  }

  const hold = (reader: DocumentReader): (() => void) => {
    count(reader, 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      count(reader, -1)
      startNext()
    }
  }

  const startNext = (): void => {
    const inOrder = [...waiting]
    const next =
      inOrder.find(({ reader }) => !reader.anonymous && isFree(reader)) ??
      inOrder.find(({ reader }) => isFree(reader))
    if (next !== undefined) next.start(hold(next.reader))
  }

  const waitFor = (reader: DocumentReader, signal: AbortSignal | undefined): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        waiting.delete(waiter)
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const onAbort = (): void => {
        stop()
        reject(new RequestAborted())
      }
      const timer = setTimeout(() => {
        stop()
        reject(tooMany(rules, heldBy(reader) >= perReaderMax))
      }, waitMs)
      const waiter: Waiter = {
        reader,
        start(release) {
          stop()
          resolve(release)
        },
      }
      waiting.add(waiter)
      signal?.addEventListener('abort', onAbort)
    })

  return {
    /**
     * Takes a slot; the returned function releases it, once.
     * @throws DomainError `rate_limited` if this reader holds too many, `unavailable` if all are taken.
     * @throws RequestAborted if the reader disconnects while it waits.
     */
    async take(reader: DocumentReader, signal: AbortSignal | undefined) {
      if (signal?.aborted === true) throw new RequestAborted()
      if (isFree(reader)) return hold(reader)
      const own = [...waiting].filter((waiter) => waiter.reader.subject === reader.subject).length
      if (waiting.size >= waitersMax || own >= waitersPerReaderMax)
        throw tooMany(rules, heldBy(reader) >= perReaderMax)
      return waitFor(reader, signal)
    },
  }
}

/** Limits how often an activity runs concurrently, in total and for each reader. */
export type Slots = Readonly<ReturnType<typeof createSlots>>
