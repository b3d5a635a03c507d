/** Times the steps of the drill, and reports each as it ends. */
export interface Stopwatch {
  time<T>(step: string, work: () => Promise<T>): Promise<T>
  /** The total seconds of these steps. */
  seconds(...steps: readonly string[]): string
}

/** A stopwatch that reports its steps to `say`. */
export function startStopwatch(say: (line: string) => void): Stopwatch {
  const took = new Map<string, number>()
  return {
    async time(step, work) {
      const from = performance.now()
      const result = await work()
      const seconds = (performance.now() - from) / 1_000
      took.set(step, seconds)
      say(`${seconds.toFixed(1).padStart(7)} s  ${step}`)
      return result
    },
    seconds: (...steps) => steps.reduce((sum, step) => sum + (took.get(step) ?? 0), 0).toFixed(1),
  }
}
