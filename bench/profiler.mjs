// Loaded into a process by `node --import`: it profiles what the process does between the messages `start` and `stop`
// of the parent, and answers the second with the ten functions that took the most time themselves.
import { Session } from 'node:inspector/promises'
import { hottestFunctions } from './hottest-functions.mjs'

const session = new Session()
session.connect()

process.on('message', async (message) => {
  if (message === 'start') {
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
    process.send?.('started')
  }
  if (message === 'stop') {
    const { profile } = await session.post('Profiler.stop')
    process.send?.(hottestFunctions(profile, 10))
  }
})
process.channel?.unref()
