import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { startSystem } from './harness/system-in-process.js'

/** Probes take no input, so no request to them is wrong. */
const probes = ['/healthz', '/readyz'].map(
  (path) => `operation-4xx-response #/paths/${path.replaceAll('/', '~1')}/get/responses`,
)

it('the OpenAPI document keeps every rule of Redocly, as strict as they are', async () => {
  const system = await startSystem()
  try {
    const { text } = await system.anyone().get('/api/openapi.json')
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({ source: text, config })
    expect(problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)).toEqual(probes)
    const broken = text.replace('"in":"path"', '"in":"nowhere"')
    expect((await lintFromString({ source: broken, config })).length).toBeGreaterThan(probes.length)
  } finally {
    await system.stop()
  }
})
