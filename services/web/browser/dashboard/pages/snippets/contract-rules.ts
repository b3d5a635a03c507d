import { stringBetween, stringEnd, textBetween } from '#engine/json-bytes/json-bytes.js'
import { eachChild, endOf } from '#engine/json-bytes/json-walk.js'
import { type Check, type ContractRules, ProblemError } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { prettyPrint } from '../../../document/json/pretty-print.js'

/** What a new contract begins with: it allows nothing, and has a place for what is most often allowed. */
export const firstRules = `{
  "compare": "values",
  "order": "significant",
  "ignore": [],
  "tolerance": [],
  "bounds": []
}`

/** What may stand in those places. */
export const exampleRules = `"ignore": ["/generated_at"]
"tolerance": [{ "path": "/rows/*/price", "absolute": "0.01" }]
"bounds": [{ "path": "/total", "change_max": "10%", "min": "0" }]`

/** The rules in a contract as the API sends it, over several lines; every token stays as it is, numbers too. */
export function rulesIn(contract: string): string {
  const bytes = new TextEncoder().encode(contract)
  let rules = new Uint8Array()
  eachChild({ bytes }, 0, (value, key) => {
    const end = endOf({ bytes }, value)
    if (stringBetween(bytes, key, stringEnd(bytes, key)) === 'rules') rules = bytes.slice(value, end)
    return end
  })
  const printed = prettyPrint(rules).bytes
  return textBetween(printed, 0, printed.length)
}

/** What is wrong with rules, and where; `null` for errors that are not about them. */
export function rulesProblem(error: Error | null): string | null {
  if (!(error instanceof ProblemError) || error.status !== 400) return null
  const { errors, detail } = error
  const said = errors.map(({ pointer, detail: why }) =>
    pointer.startsWith('/') ? text('contract.wrongAt', { pointer, why }) : why,
  )
  return said.length === 0 ? detail : said.join('\n')
}

/**
 * The key by which a comparison finds items as a contract with these rules does; empty if it has none, or several, or if
 * items did not have it.
 */
export function keyOf(rules: ContractRules | undefined, breaks: Check['breaks']): string {
  const keys = new Set(Object.values(rules?.keys ?? {}).map((names) => names.join(',')))
  const [key = ''] = keys
  const isLacking = breaks.some(({ rule }) => rule === 'keys' || rule === 'format')
  return keys.size === 1 && !isLacking ? key : ''
}
