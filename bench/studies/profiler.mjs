// Loaded into a process by `node --import`: profiles it between its parent's messages `start` and `stop`, and
// sends the profile in response to the latter.
import { Session } from 'node:inspector/promises'

const session = new Session()
session.connect()

process.on('message', async (message) => {
  if (message === 'start') {
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
    process.send?.('started')
  }
  if (message === 'stop') process.send?.((await session.post('Profiler.stop')).profile)
})
process.channel?.unref()
