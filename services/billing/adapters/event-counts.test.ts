import { expect, it } from 'vitest'
import { metrics } from '#libs/telemetry/catalogue.js'
import './billing-job.js'
import './signed-provider-events.js'

it('the counts of events that alerts look at are told before the first event', async () => {
  const outcomes = await metrics.providerEvents.collect()
  expect(outcomes.map(({ labels, value }) => [labels.outcome, value])).toEqual([
    ['applied', 0],
    ['ignored', 0],
    ['foreign', 0],
    ['wrong-mode', 0],
  ])
  expect(await metrics.providerEventsOfOtherVersion.collect()).toEqual([{ labels: {}, value: 0 }])
})
