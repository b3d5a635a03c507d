import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { catalogue } from '#libs/telemetry/catalogue.js'
import { telemetryDocument } from './telemetry-document.js'

test('docs/telemetry.md lists every metric with its labels', async () => {
  const text = await readFile('docs/telemetry.md', 'utf8')
  for (const { name, labels } of catalogue) {
    const row = text.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
    expect([name, labels.every((label) => row.includes(`\`${label}\``))]).toEqual([name, true])
  }
})

test('a new metric changes the document', () => {
  const [first] = catalogue
  if (first === undefined) throw new Error('there are no metrics')
  const more = [...catalogue, { ...first, name: 'snipkeep_planted_total' }]
  expect(telemetryDocument(more)).toContain('snipkeep_planted_total')
})
