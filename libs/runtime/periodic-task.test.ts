import { expect, it } from 'vitest'
import { createLogger } from '../log/logger.js'
import { periodicTask } from './periodic-task.js'

it('logs the same failure once, however often the task runs, and another one at once', async () => {
  let logged = ''
  const log = createLogger('test', 'info', {
    write: (line: string) => {
      logged += line
    },
  })
  let runs = 0
  const task = periodicTask('purge', 1, log, async () => {
    runs += 1
    throw new Error(runs <= 5 ? 'no database' : 'no disk')
  })
  await expect.poll(() => runs).toBeGreaterThan(10)
  await task.stop()
  expect(logged.match(/"task_failed"/g)).toHaveLength(2)
  expect(logged.match(/Error: no database/g)).toHaveLength(1)
})
