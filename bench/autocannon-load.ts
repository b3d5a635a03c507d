import { fork } from 'node:child_process'
import type { LoadReport, LoadTool } from './load-order.js'

/** Load by autocannon, which validates every response and so is slower than wrk. */
export const autocannonLoad: LoadTool = {
  name: 'autocannon',
  run: (order) =>
    new Promise<LoadReport>((resolve, reject) => {
      const runner = fork('bench/autocannon-runner.mjs', [], { execArgv: [] })
      runner.once('message', (report) => resolve(report as LoadReport))
      runner.once('error', reject)
      runner.once('exit', () => reject(new Error('the load generator ended early')))
      runner.send(order)
    }),
}
