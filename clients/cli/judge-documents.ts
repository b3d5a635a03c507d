import { readFile } from 'node:fs/promises'
import { type Contract, ContractError } from '#engine/contract/contract.js'
import type { Break } from '#engine/contract/findings.js'
import { type Judgement, judge } from '#engine/contract/judge.js'
import { parseContract } from '#engine/contract/parse-contract.js'
import { choice, listOption, type OptionValues, textOption } from './command.js'
import type { Context } from './context.js'
import { usageError } from './exit-codes.js'
import { ruleFlags } from './rule-flags.js'
import { printable, styled, type Terminal, write } from './terminal.js'

/** Breaks that are printed for people. */
const shownMax = 20
const valueLengthMax = 200

/** The two sides of a flag such as `/total=10%`. */
function pathAndValue(text: string, flag: string): readonly [path: string, value: string] {
  const at = text.indexOf('=')
  if (at < 0) throw usageError(`--${flag} is a path, = and a value, such as --${flag} /total=10%.`)
  return [text.slice(0, at), text.slice(at + 1)]
}

function entries(options: OptionValues, name: string, flag: string) {
  return listOption(options, name).map((text) => pathAndValue(text, flag))
}

/** The rules of flags as a contract, its schema as it is spelled. */
function contractText(options: OptionValues, schema: string | null): string {
  const bounds = [
    ...entries(options, 'changeMax', 'change-max').map(([path, value]) => ({ path, change_max: value })),
    ...entries(options, 'min', 'min').map(([path, min]) => ({ path, min })),
    ...entries(options, 'max', 'max').map(([path, max]) => ({ path, max })),
  ]
  const keys = entries(options, 'keys', 'keys').map(([path, names]) => [path, names.split(',')] as const)
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
  const text = JSON.stringify(Object.fromEntries(given))
  if (schema === null) return text
  return `{"schema":${schema}${text === '{}' ? '}' : `,${text.slice(1)}`}`
}

async function contractOf(options: OptionValues): Promise<Contract> {
  const named = textOption(options, 'contract')
  if (
    named !== undefined &&
    (ruleFlags.some((name) => options[name] !== undefined) || options.ignore !== undefined)
  )
    throw usageError('--contract has all rules. Write those of the other flags into it.')
  const schemaFile = textOption(options, 'schema')
  const schema = schemaFile === undefined ? null : await readFile(schemaFile, 'utf8')
  const text = named === undefined ? contractText(options, schema) : await readFile(named, 'utf8')
  try {
    return parseContract(new TextEncoder().encode(text))
  } catch (error) {
    if (error instanceof ContractError)
      throw usageError(contractProblem(error, named ?? schemaFile), { cause: error })
    throw error
  }
}

function contractProblem({ pointer, message }: ContractError, file: string | undefined): string {
  return `${file ?? 'The rules'}${pointer === '' ? '' : `, at ${pointer}`}: ${message}`
}

function shown(text: string | null): string {
  if (text === null) return 'nothing'
  const cut = printable(text.slice(0, valueLengthMax))
  return text.length > valueLengthMax ? `${cut}…` : cut
}

function breakText({ pointer, rule, baseline, candidate, message }: Break): string {
  const place = pointer === '' ? 'the whole' : printable(pointer)
  if (message !== undefined) return `${rule} ${place}: ${printable(message)}`
  return `${rule} ${place}: ${baseline === null ? '' : `${shown(baseline)} → `}${shown(candidate)}`
}

function verdictText({ verdict, counts, breaks, truncated }: Judgement, terminal: Terminal): string {
  const colour = verdict === 'breaks' ? 'red' : 'green'
  const head = `${styled(terminal, colour, verdict, terminal.stdout)}: ${counts.breaks} breaks, ${counts.allowed} allowed`
  const lines = breaks.slice(0, shownMax).map(breakText)
  const more =
    truncated || breaks.length > shownMax ? ['There are more breaks; --json lists up to 1,000.'] : []
  return `${[head, ...lines, ...more].join('\n')}\n`
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
    if (error instanceof ContractError)
      throw usageError(contractProblem(error, textOption(options, 'contract')), { cause: error })
    throw error
  }
  if (context.options.json === true) await context.result({ ...judgement }, '')
  else await write(context.terminal.stdout, verdictText(judgement, context.terminal))
  return judgement.verdict !== 'breaks'
}
