import type { ChildMemory, JobChild } from './child-process.js'

/** An idle child ends after this many milliseconds. */
const idleMs = 60_000
/** Idle children that are kept. */
const idleMax = 3
/** A child that has worked for this many milliseconds is replaced. */
const workMsMax = 30_000

/** A child that one job has to itself. */
export interface TakenChild {
  readonly child: JobChild
  /** Gives it back after this much work; a child that isn't `clean` is ended. */
  giveBack(workMs: number, clean: boolean): void
}

/** Keeps children warm. */
export interface ChildPool {
  take(memory: ChildMemory): Promise<TakenChild>
  /** The resident memory of all children, in bytes. */
  residentBytes(): number
  /** Ends all children. */
  close(): void
}

interface Idle {
  readonly child: JobChild
  readonly memory: ChildMemory
  readonly workedMs: number
  readonly timer: NodeJS.Timeout
}

const isSame = (one: ChildMemory, other: ChildMemory): boolean =>
  one.heapMegabytes === other.heapMegabytes && one.addressMegabytes === other.addressMegabytes

/** Children that have run cleanly run further jobs, one at a time. */
export function createChildPool(start: (memory: ChildMemory) => Promise<JobChild>): ChildPool {
  const idle = new Set<Idle>()
  const busy = new Set<JobChild>()
  let closed = false

  const retire = (one: Idle): void => {
    idle.delete(one)
    clearTimeout(one.timer)
    one.child.kill()
  }
  const rest = (child: JobChild, memory: ChildMemory, workedMs: number): void => {
    const timer = setTimeout(() => retire(one), idleMs).unref()
    const one: Idle = { child, memory, workedMs, timer }
    idle.add(one)
    child.unref()
    child.listen((message) => {
      if (message === null) retire(one)
    })
    const [oldest] = idle
    if (idle.size > idleMax && oldest !== undefined) retire(oldest)
  }
  const taken = (child: JobChild, memory: ChildMemory, workedMs: number): TakenChild => {
    busy.add(child)
    return {
      child,
      giveBack(workMs, clean) {
        if (!busy.delete(child)) return
        child.listen(null)
        const total = workedMs + workMs
        if (!clean || closed || !child.isAlive() || total > workMsMax) child.kill()
        else rest(child, memory, total)
      },
    }
  }

  return {
    async take(memory) {
      const warm = [...idle].find((one) => isSame(one.memory, memory) && one.child.isAlive())
      if (warm !== undefined) {
        idle.delete(warm)
        clearTimeout(warm.timer)
        warm.child.ref()
        return taken(warm.child, memory, warm.workedMs)
      }
      const child = await start(memory)
      if (closed) child.kill()
      return taken(child, memory, 0)
    },
    residentBytes: () =>
      [...[...idle].map(({ child }) => child), ...busy].reduce(
        (sum, child) => sum + child.residentBytes(),
        0,
      ),
    close() {
      closed = true
      for (const one of idle) retire(one)
      for (const child of busy) child.kill()
    },
  }
}
