import { describe, expect, it } from 'vitest'
import { judge } from './judge.js'
import { parseContract } from './parse-rules.js'
import type { Planted } from './testing/planted.js'
import { plantedCsv } from './testing/planted-csv.js'
import { plantedHeld } from './testing/planted-held.js'
import { plantedJson } from './testing/planted-json.js'
import { plantedNdjson } from './testing/planted-ndjson.js'
import { plantedText } from './testing/planted-text.js'
import { plantedValues } from './testing/planted-values.js'

const encoder = new TextEncoder()

function verdictOf({ baseline, contract }: Planted, candidate: string): string {
  const parsed = parseContract(encoder.encode(JSON.stringify(contract)))
  const { verdict, breaks } = judge(encoder.encode(baseline), encoder.encode(candidate), parsed)
  if (verdict !== 'breaks') return verdict
  return `breaks ${breaks.map(({ rule, pointer }) => `${rule} ${pointer}`).join(', ')}`
}

const all = [
  ['JSON', plantedJson],
  ['JSON without an object', plantedValues],
  ['NDJSON', plantedNdjson],
  ['CSV', plantedCsv],
  ['text', plantedText],
  ['text that JSON holds', plantedHeld],
] as const

it('there are 45 documents, and at least 400 changes', () => {
  expect(all.flatMap(([, documents]) => documents)).toHaveLength(45)
  const counts = all.flatMap(([, documents]) => documents.map(({ changes }) => changes.length))
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(400)
})

describe.each(all)('changes planted in %s', (_name, documents) => {
  it.each(documents.map((document) => [document.name, document] as const))(
    'are judged as written down: %s',
    (_document, document) => {
      for (const [from, to, verdict] of document.changes) {
        expect(document.baseline, from).toContain(from)
        const candidate = from === '' ? to : document.baseline.replace(from, () => to)
        expect(verdictOf(document, candidate), `${from} to ${to}`).toBe(verdict)
      }
    },
  )
})
