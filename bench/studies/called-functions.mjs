// Loaded into a process by `node --import`: counts the functions that run between its parent's messages
// `start` and `stop`, and responds to the latter with their files, by URL.
import { Session } from 'node:inspector/promises'

const session = new Session()
session.connect()

process.on('message', async (message) => {
  if (message === 'start') {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await session.post('Profiler.takePreciseCoverage')
    process.send?.('started')
  }
  if (message === 'stop') {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    await session.post('Profiler.stopPreciseCoverage')
    const called = result.filter(({ functions }) =>
      functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
    )
    process.send?.(called.map(({ url }) => url))
  }
})
process.channel?.unref()
