// Loaded into a process by `node --import`: between the messages `start` and `stop` of its parent it counts which
// functions run, and responds to the second with their files, by address.
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
