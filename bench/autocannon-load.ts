import { fork } from 'node:child_process'
import type { LoadReport, LoadTool } from './load-order.js'

/** Loads by autocannon; every response is looked at, which makes it the slower side of what a bare server can do. */
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
