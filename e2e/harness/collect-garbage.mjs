// Loaded into a process under test by `node --import`: on a message from its parent it collects all garbage,
// gives the system a moment to take the pages back, and responds.
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

process.on('message', async () => {
  collect()
  // For memory that is only freed once its finalizers have run.
  await sleep(300)
  collect()
  await sleep(1_500)
  process.send?.('collected')
})
process.channel?.unref()
