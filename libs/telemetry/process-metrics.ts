import { monitorEventLoopDelay } from 'node:perf_hooks'
import { metrics } from './catalogue.js'

const nanosecondsPerSecond = 1e9
const microsecondsPerSecond = 1e6
/** The resolution of delays, in milliseconds. */
const resolution = 10
/** Scrapes within this time get the same values, in milliseconds. */
const freshMs = 1_000

/**
 * Measures the process until the returned function is called. prom-client's own process metrics have other names than
 * those in the dashboards, and are all or nothing.
 */
export function watchProcess(): () => void {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / nanosecondsPerSecond)
  let read: readonly (readonly [labels: readonly [string], value: number])[] = []
  let readAt = Number.NEGATIVE_INFINITY
  const readDelay = () => {
    if (delay.count === 0 || performance.now() - readAt < freshMs) return read
    read = [
      [['0.5'], seconds(delay.percentile(50))],
      [['0.99'], seconds(delay.percentile(99))],
      [['1'], seconds(delay.max)],
    ]
    readAt = performance.now()
    delay.reset()
    return read
  }
  const readCpu = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / microsecondsPerSecond
  }
  const stops = [
    metrics.eventLoopDelay.observe(readDelay),
    metrics.processCpu.observe(() => [[[], readCpu()]]),
    metrics.processMemory.observe(() => [[[], process.memoryUsage.rss()]]),
    metrics.heapUsed.observe(() => [[[], process.memoryUsage().heapUsed]]),
    metrics.activeResources.observe(() => [[[], process.getActiveResourcesInfo().length]]),
    metrics.processStart.observe(() => [[[], performance.timeOrigin / 1_000]]),
  ]
  return () => {
    delay.disable()
    for (const stop of stops) stop()
  }
}
