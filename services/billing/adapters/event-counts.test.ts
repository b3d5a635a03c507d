import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

/** In its own process, because another test here may have counted. */
const script = `
  const { metrics } = await import('./libs/telemetry/catalogue.ts')
  await import('./services/billing/wire.ts')
  const counts = [...(await metrics.providerEvents.collect()), ...(await metrics.providerEventsOfOtherVersion.collect())]
  console.log(JSON.stringify(counts.map(({ labels, value }) => [labels.outcome ?? 'of another version', value])))
`

it('the event counters of the alerts exist before the first event', async () => {
  const args = ['--conditions=snipkeep-source', '--import', 'tsx', '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(JSON.parse(stdout)).toEqual([
    ['applied', 0],
    ['ignored', 0],
    ['foreign', 0],
    ['wrong-mode', 0],
    ['of another version', 0],
  ])
})
