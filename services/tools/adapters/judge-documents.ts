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

/** The breaks that there is room for, one after another. */
function listed(breaks: readonly object[]): readonly string[] {
  const texts: string[] = []
  let left = breaksBytesMax
  for (const text of breaks.map((one) => JSON.stringify(one))) {
    const size = Buffer.byteLength(text)
    if (size > left) continue
    left -= size
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
  const judged = judge(baseline ?? null, candidate, contract, { ...limits, schema })
  const { verdict, as, counts, breaks } = judged
  const texts = listed(breaks)
  const truncated = judged.truncated || breaks.length > texts.length
  const head = JSON.stringify({ verdict, as, counts, truncated })
  return Buffer.from(`${head.slice(0, -1)},"breaks":[${texts.join(',')}]}`)
}
