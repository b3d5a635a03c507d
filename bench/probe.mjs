// Loaded into a measured process by `node --import`: samples resident memory and event loop delay, and
// responds to the messages `reset` and `read` of the parent process.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()

let peakBytes = 0
const sample = () => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
}
setInterval(sample, 10).unref()

const milliseconds = (nanoseconds) => nanoseconds / 1e6

process.on('message', (message) => {
  sample()
  const reading = {
    rssBytes: process.memoryUsage.rss(),
    peakBytes,
    delayMaxMs: milliseconds(delay.max),
    delayP99Ms: milliseconds(delay.percentile(99)),
  }
  if (message === 'reset') {
    delay.reset()
    peakBytes = process.memoryUsage.rss()
  }
  process.send?.(reading)
})
process.channel?.unref()
