import { readFile } from 'node:fs/promises'
import { type Contract, ContractError } from '#engine/contract/contract.js'
import { type Judgement, judge } from '#engine/contract/judge.js'
import { parseContract } from '#engine/contract/parse-rules.js'
import { isJson } from '#engine/json-bytes/json-scanner.js'
import { markLength } from '#engine/mark-length.js'
import { choice, listOption, type OptionValues, textOption } from './command.js'
import type { Context } from './context.js'
import { usageError } from './exit-codes.js'
import { printVerdict } from './print-verdict.js'
import { ruleFlags } from './rule-flags.js'

const examples = {
  'change-max': '/total=10%',
  min: '/total=0',
  max: '/total=100',
  keys: '/rows=region,day',
  tolerance: '/total=0.01',
  pattern: '/version=^1',
} as const

/** The two sides of a flag such as `/total=10%`. */
function pathAndValue(text: string, flag: keyof typeof examples): readonly [path: string, value: string] {
  // A path may have a sign of equality; of the values, only a pattern and names of columns may.
  const at = flag === 'pattern' || flag === 'keys' ? text.indexOf('=') : text.lastIndexOf('=')
  if (at < 0) throw usageError(`--${flag} is a path, = and a value, such as --${flag} ${examples[flag]}.`)
  return [text.slice(0, at), text.slice(at + 1)]
}

function entries(options: OptionValues, name: string, flag: keyof typeof examples) {
  return listOption(options, name).map((text) => pathAndValue(text, flag))
}

/** The rules of flags as a contract. */
function contractText(options: OptionValues): string {
  const bounds = [
    ...entries(options, 'changeMax', 'change-max').map(([path, value]) => ({ path, change_max: value })),
    ...entries(options, 'min', 'min').map(([path, min]) => ({ path, min })),
    ...entries(options, 'max', 'max').map(([path, max]) => ({ path, max })),
  ]
  const keys = entries(options, 'keys', 'keys').map(([path, names]) => [path, names.split(',')] as const)
  if (new Set(keys.map(([path]) => path)).size < keys.length)
    throw usageError('--keys names all columns of a path at once, such as --keys /rows=region,day.')
  const rules = {
    compare: options.shape === true ? 'shape' : undefined,
    keys: keys.length === 0 ? undefined : Object.fromEntries(keys),
    ignore: listOption(options, 'ignore'),
    tolerance: entries(options, 'tolerance', 'tolerance').map(([path, value]) =>
      value.endsWith('%') ? { path, relative: value } : { path, absolute: value },
    ),
    pattern: entries(options, 'pattern', 'pattern').map(([path, matches]) => ({ path, matches })),
    bounds,
    order: textOption(options, 'itemOrder'),
  }
  const given = Object.entries(rules).filter(([, value]) => !Array.isArray(value) || value.length > 0)
  return JSON.stringify(Object.fromEntries(given))
}

/** The text of a file that holds JSON, without a byte order mark. */
async function jsonFile(file: string): Promise<string> {
  const bytes = await readFile(file)
  const text = bytes.subarray(markLength(bytes))
  if (!isJson(text)) throw usageError(`${file} is not JSON.`)
  return text.toString()
}

async function contractOf(options: OptionValues): Promise<Contract> {
  const named = textOption(options, 'contract')
  if (
    named !== undefined &&
    (ruleFlags.some((name) => options[name] !== undefined) || options.ignore !== undefined)
  )
    throw usageError('--contract has all rules. Write those of the other flags into it.')
  const schemaFile = textOption(options, 'schema')
  const schema = schemaFile === undefined ? null : await jsonFile(schemaFile)
  const text = named === undefined ? contractText(options) : await jsonFile(named)
  try {
    const contract = parseContract(new TextEncoder().encode(text))
    return schema === null ? contract : { ...contract, schema }
  } catch (error) {
    if (error instanceof ContractError) throw usageError(contractProblem(error, options), { cause: error })
    throw error
  }
}

function contractProblem({ pointer, message }: ContractError, options: OptionValues): string {
  const schemaFile = /^\/schema(\/|$)/.test(pointer) ? textOption(options, 'schema') : undefined
  const place = schemaFile === undefined ? pointer : pointer.slice('/schema'.length)
  const file = schemaFile ?? textOption(options, 'contract') ?? 'The rules'
  return `${file}${place === '' ? '' : `, at ${place}`}: ${message}`
}

/** Judges the second document by the rules of the flags, the first being the baseline, and prints the verdict. */
export async function judgeDocuments(
  context: Context,
  baseline: Uint8Array,
  candidate: Uint8Array,
  options: OptionValues,
): Promise<boolean> {
  const contract = await contractOf(options)
  let judgement: Judgement
  try {
    judgement = judge(baseline, candidate, contract, {
      as: choice(options, 'as', ['json', 'ndjson', 'csv', 'text']),
      quotes: textOption(options, 'quotes') === 'lenient' ? 'lenient' : undefined,
      comment: textOption(options, 'comment'),
      skip: Number(textOption(options, 'skip') ?? 0),
    })
  } catch (error) {
    if (error instanceof ContractError) throw usageError(contractProblem(error, options), { cause: error })
    throw error
  }
  await printVerdict(context, judgement)
  return judgement.verdict !== 'breaks'
}
