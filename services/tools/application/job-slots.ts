import type { Holder, Lane } from '../domain/job.js'
import { allSlotsTaken, alreadyWaiting, endedForOthers } from '../domain/job-errors.js'
import type { ToolsPorts } from '../ports.js'

/** How many jobs of a lane run at once; Free cannot take the last one. */
const slotsOf: Readonly<Record<Lane, { readonly max: number; readonly freeMax: number }>> = {
  form: { max: 1, freeMax: 1 },
  small: { max: 3, freeMax: 2 },
  large: { max: 2, freeMax: 1 },
}

/** How long a job waits for a slot, in milliseconds, and how many jobs of a lane do. */
const waitMs = 10_000
const waitersMax = 64
/** After this many milliseconds, half of what a holder has used is forgotten. */
const halfLifeMs = 30_000
/** Holders whose use is remembered. */
const holdersMax = 10_000

/** The slot of a running job. */
export interface Slot {
  /** Aborted when the run has to make way for others. */
  readonly signal: AbortSignal
  release(): void
}

/** Lets jobs run in fair turns. */
export interface JobSlots {
  /**
   * Takes a slot of a lane.
   * @param heldMs after which the run makes way for others.
   * @throws DomainError `unavailable` if none becomes free in time, `rate_limited` if the holder already waits;
   * the reason of the signal.
   */
  take(lane: Lane, holder: Holder, heldMs: number, signal: AbortSignal): Promise<Slot>
  /** Jobs that run and wait, by lane. */
  counts(): Readonly<Record<Lane, { readonly running: number; readonly waiting: number }>>
}

interface Running {
  readonly holder: Holder
  readonly since: number
  readonly heldMs: number
  readonly ending: AbortController
}

interface Waiter {
  readonly holder: Holder
  start(): void
}

/** What each holder has used of late, in milliseconds, halved every half minute. */
function createUse(now: () => number) {
  const uses = new Map<string, { readonly ms: number; readonly at: number }>()
  const of = (id: string): number => {
    const use = uses.get(id)
    return use === undefined ? 0 : use.ms * 2 ** ((use.at - now()) / halfLifeMs)
  }
  return {
    of,
    add(id: string, ms: number): void {
      const total = of(id) + ms
      uses.delete(id)
      uses.set(id, { ms: total, at: now() })
      const [oldest] = uses.keys()
      if (uses.size > holdersMax && oldest !== undefined) uses.delete(oldest)
    },
  }
}

type Clock = Pick<ToolsPorts, 'now' | 'after'>
type Use = ReturnType<typeof createUse>

/** The slots of one lane: who has used least of late is next. */
class LaneSlots {
  readonly running = new Set<Running>()
  readonly waiting = new Set<Waiter>()
  private readonly lane: Lane
  private readonly use: Use
  private readonly clock: Clock
  private forgetTimer = (): void => {}

  constructor(lane: Lane, use: Use, clock: Clock) {
    this.lane = lane
    this.use = use
    this.clock = clock
  }

  isFreeFor({ plan, id }: Holder): boolean {
    const { max, freeMax } = slotsOf[this.lane]
    const holders = [...this.running].map(({ holder }) => holder)
    if (holders.length >= max || holders.some((holder) => holder.id === id)) return false
    return plan !== 'free' || holders.filter((holder) => holder.plan === 'free').length < freeMax
  }

  hold(holder: Holder, heldMs: number): Slot {
    const run = { holder, since: this.clock.now(), heldMs, ending: new AbortController() }
    this.running.add(run)
    return {
      signal: run.ending.signal,
      release: () => {
        if (!this.running.delete(run)) return
        this.use.add(holder.id, this.clock.now() - run.since)
        this.startWaiters()
      },
    }
  }

  /** Starts whoever may start, and ends the longest of the runs that others wait for. */
  startWaiters(): void {
    this.forgetTimer()
    const inTurn = [...this.waiting].sort(
      (one, other) => this.use.of(one.holder.id) - this.use.of(other.holder.id),
    )
    for (const waiter of inTurn) if (this.isFreeFor(waiter.holder)) waiter.start()
    if (this.waiting.size === 0) return
    const ends = [...this.running]
      .map((run) => ({ run, at: run.since + run.heldMs }))
      .sort((one, other) => one.at - other.at)
    const [first] = ends
    if (first === undefined) return
    const left = first.at - this.clock.now()
    if (left <= 0) first.run.ending.abort(endedForOthers())
    else this.forgetTimer = this.clock.after(left, () => this.startWaiters())
  }

  wait(holder: Holder, heldMs: number, signal: AbortSignal): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiting.delete(waiter)
        forgetTimer()
        signal.removeEventListener('abort', onAbort)
      }
      const onAbort = (): void => {
        leave()
        reject(signal.reason)
      }
      const forgetTimer = this.clock.after(waitMs, () => {
        leave()
        reject(allSlotsTaken())
      })
      const waiter: Waiter = {
        holder,
        start: () => {
          leave()
          resolve(this.hold(holder, heldMs))
        },
      }
      this.waiting.add(waiter)
      signal.addEventListener('abort', onAbort)
      this.startWaiters()
    })
  }
}

/**
 * Slots by lane. A holder runs one job of a lane at a time and waits with one; of those who wait, whoever has used least
 * of late is next, so many requests of a few don't keep others waiting.
 */
export function createJobSlots(clock: Clock): JobSlots {
  const use = createUse(clock.now)
  const lanes: Readonly<Record<Lane, LaneSlots>> = {
    form: new LaneSlots('form', use, clock),
    small: new LaneSlots('small', use, clock),
    large: new LaneSlots('large', use, clock),
  }
  const countsOf = ({ running, waiting }: LaneSlots) => ({ running: running.size, waiting: waiting.size })
  return {
    async take(name, holder, heldMs, signal) {
      signal.throwIfAborted()
      const lane = lanes[name]
      if (lane.isFreeFor(holder)) return lane.hold(holder, heldMs)
      const waiters = [...lane.waiting]
      if (waiters.some((waiter) => waiter.holder.id === holder.id)) throw alreadyWaiting()
      if (waiters.length >= waitersMax) throw allSlotsTaken()
      return lane.wait(holder, heldMs, signal)
    },
    counts: () => ({
      form: countsOf(lanes.form),
      small: countsOf(lanes.small),
      large: countsOf(lanes.large),
    }),
  }
}
