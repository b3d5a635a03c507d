import { judge } from '#engine/contract/judge.js'
import { checkSchema } from '#engine/contract/judge-schema.js'
import { parseContract } from '#engine/contract/parse-rules.js'
import type { ContractJob } from '../domain/job.js'

/** What a contract is about; its schema, if another snippet holds it. */
export interface JudgedDocuments {
  readonly baseline: Uint8Array | undefined
  readonly candidate: Uint8Array | undefined
  readonly schema: Uint8Array | undefined
}

/** The most text of listed breaks, in bytes of JSON. */
const breaksBytesMax = 65_536

/** The first breaks that there is room for. */
function listed(breaks: readonly object[]): readonly string[] {
  const texts: string[] = []
  let left = breaksBytesMax
  for (const text of breaks.map((one) => JSON.stringify(one))) {
    left -= Buffer.byteLength(text)
    if (left < 0) break
    texts.push(text)
  }
  return texts
}

/**
 * Judges a candidate, or only reads the contract if there is none; returns the response.
 * @throws ContractError with the place of a mistake in the rules; CompareError if the documents cannot be read.
 */
export function judgeDocuments(
  { rules, limit }: ContractJob,
  { baseline, candidate, schema }: JudgedDocuments,
): Uint8Array {
  const contract = parseContract(rules.length === 0 ? Buffer.from('{}') : rules)
  if (candidate === undefined) {
    checkSchema(contract, schema)
    return Buffer.from('{}')
  }
  const limits = { breaksMax: limit, breakUnitsMax: breaksBytesMax }
  const { verdict, as, counts, breaks } = judge(baseline ?? null, candidate, contract, { ...limits, schema })
  const texts = listed(breaks)
  const judged = JSON.stringify({ verdict, as, counts, truncated: counts.breaks > texts.length })
  return Buffer.from(`${judged.slice(0, -1)},"breaks":[${texts.join(',')}]}`)
}
