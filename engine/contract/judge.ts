import { sameBytes } from '../compare/byte-hash.js'
import { CompareError } from '../compare/comparison.js'
import type { DocumentPair } from '../compare/documents.js'
import { readJsonPair } from '../compare/json/compare-json.js'
import { looksLikeCsv } from '../csv/looks-like-csv.js'
import { type Contract, ContractError, rulesOfValues } from './contract.js'
import { type Break, type BreakLimits, Findings } from './findings.js'
import { judgeCsv } from './judge-csv.js'
import { judgeSchema, schemaOf } from './judge-schema.js'
import { judgeShape } from './judge-shape.js'
import { judgeText } from './judge-text.js'
import { ValueJudge } from './judge-values.js'
import { judgedPairs } from './judged-pairs.js'
import { isArrayForLines, ndjsonArray } from './ndjson-array.js'
import { rootState } from './rule-states.js'

/** What documents are judged as. */
export type JudgedAs = 'json' | 'ndjson' | 'csv' | 'text'

/** How a candidate is judged beyond its contract. */
export interface JudgeOptions extends BreakLimits {
  /** What the baseline is, unless it is to be seen from it. */
  readonly as?: JudgedAs | undefined
  /** How CSV is read, as comparisons do. */
  readonly quotes?: 'strict' | 'lenient' | undefined
  readonly comment?: string | undefined
  readonly skip?: number | undefined
  /** The schema that `schemaSnippet` of the contract names. */
  readonly schema?: Uint8Array | undefined
}

/** The result of judging a candidate. */
export interface Judgement {
  /**
   * `same`: nothing differs. `allowed`: only what the contract allows. `breaks`: something else. `new`: there is no
   * baseline, and the candidate breaks nothing by itself.
   */
  readonly verdict: 'same' | 'allowed' | 'breaks' | 'new'
  readonly as: JudgedAs
  /** What breaks, and what differs as the contract allows: all that is ignored is one, if there is nothing else. */
  readonly counts: { readonly breaks: number; readonly allowed: number }
  readonly breaks: readonly Break[]
  /** Whether there are more breaks than are listed, or a pointer of one is cut. */
  readonly truncated: boolean
}

/** What is handed from one way of reading to the next. */
interface Judging {
  readonly contract: Contract
  readonly options: JudgeOptions
  readonly findings: Findings
  /** Whether there is no baseline: what is wrong with the documents is the candidate's. */
  readonly isFirst: boolean
}

/** A candidate that is not what its baseline is. */
function formatBreak({ findings }: Judging, error: CompareError): void {
  findings.add(() => ({
    pointer: '',
    rule: 'format',
    baseline: null,
    candidate: null,
    message: error.message,
  }))
}

/** Whether only the candidate cannot be read; without a baseline, both are one. */
function isOfCandidate(error: unknown): error is CompareError {
  const codes = ['invalid_json', 'invalid_csv']
  return error instanceof CompareError && error.document === 'second' && codes.includes(error.code)
}

function isOfBaseline(error: unknown): boolean {
  return error instanceof CompareError && error.document === 'first' && error.code === 'invalid_json'
}

function judgeValues({ first, second }: DocumentPair, { contract, findings }: Judging): void {
  const nodes = readJsonPair(first, second, { ignore: contract.ignore })
  const judge = new ValueJudge(nodes, findings, contract.order)
  const root = rootState(contract)
  judge.checkRules(nodes.secondNode, rootState({ rules: rulesOfValues(contract), keys: [] }))
  if (contract.compare === 'shape') judgeShape(nodes, findings)
  else judge.compare(0, nodes.secondNode, root)
}

/**
 * Judges documents as JSON.
 * @returns false if the baseline is none.
 */
function ifJson(pairs: readonly DocumentPair[], judging: Judging): boolean {
  const schema = schemaOf(judging)
  let failure: CompareError | null = null
  for (const pair of pairs)
    try {
      judgeValues(pair, judging)
      if (schema !== null) judgeSchema(pair.second, schema, judging)
      return true
    } catch (error) {
      if (isOfCandidate(error)) failure ??= error
      else if (!isOfBaseline(error)) throw error
    }
  if (failure !== null) formatBreak(judging, failure)
  return failure !== null
}

/**
 * Judges documents by their lines, as items of arrays: a candidate that is an array has no lines.
 * @returns false unless the baseline looks like NDJSON, or is said to be.
 */
function ifNdjson({ first, second }: DocumentPair, isSaid: boolean, judging: Judging): boolean {
  const [lines, newLines] = [ndjsonArray(first, isSaid), ndjsonArray(second, isSaid)]
  if (lines === null || (lines.length === 2 && !isSaid)) return false
  if (newLines !== null && !isArrayForLines(second, lines))
    return ifJson([{ first: lines, second: newLines }], judging)
  const message = 'The candidate is not NDJSON: one JSON value in each line.'
  formatBreak(judging, new CompareError('invalid_json', message, 'second'))
  return true
}

/** The first rule of a contract that has no meaning for tables, or for texts. */
function misfitOf(
  { schema, schemaSnippet, compare, ignore }: Contract,
  as: 'csv' | 'text',
): readonly [pointer: string, message: string] | null {
  if (schema !== null || schemaSnippet !== null) return ['/schema', 'A schema is for JSON and NDJSON.']
  if (as === 'text' && compare === 'shape') return ['/compare', 'Only JSON, NDJSON and CSV have a shape.']
  const wrong = ignore.findIndex((path) => !(as === 'csv' ? /^\/\*\/[^/]*$/ : /^\/[^/]*$/).test(path))
  if (wrong < 0) return null
  const whole =
    as === 'csv' ? 'Of CSV, whole columns can be ignored: /*/name.' : 'Of text, lines can be ignored: /0.'
  return [`/ignore/${wrong}`, whole]
}

/** A contract that cannot be about its documents is a mistake; a first candidate that is of no use to it breaks. */
function refuseRules(judging: Judging, as: 'csv' | 'text'): void {
  const misfit = misfitOf(judging.contract, as)
  if (misfit === null) return
  const [pointer, message] = misfit
  const said = `${message} This is ${as === 'csv' ? 'CSV' : 'text'}.`
  if (!judging.isFirst) throw new ContractError(pointer, said)
  formatBreak(judging, new CompareError('invalid_json', said, 'second'))
}

/** Judges documents as tables; false if that was a guess, and the baseline is none. */
function ifCsv({ first, second }: DocumentPair, isTable: boolean, judging: Judging): boolean {
  const { contract, options, findings } = judging
  if (options.as !== 'csv' && !isTable && !looksLikeCsv(first)) return false
  try {
    const { quotes, comment, skip } = options
    judgeCsv(first, second, contract, { quotes, comment, skip }, findings)
  } catch (error) {
    if (isOfCandidate(error)) formatBreak(judging, error)
    else if (options.as === 'csv' || !(error instanceof CompareError) || error.code !== 'invalid_csv')
      throw error
    else return false
  }
  refuseRules(judging, 'csv')
  return true
}

/** A baseline that is not what it is said to be is a mistake; a first candidate breaks. */
function refuseBaseline(judging: Judging, as: 'json' | 'ndjson'): JudgedAs {
  const what = as === 'json' ? 'JSON' : 'NDJSON'
  if (!judging.isFirst) throw new CompareError('invalid_json', `The baseline is not ${what}.`, 'first')
  formatBreak(judging, new CompareError('invalid_json', `This is not ${what}.`, 'second'))
  return as
}

function judgeAs(baseline: Uint8Array, candidate: Uint8Array, judging: Judging): JudgedAs {
  const { as } = judging.options
  const { json, text, isTable } = judgedPairs(baseline, candidate, judging.contract)
  if (as === 'json' || as === undefined) {
    const pairs = as === 'json' ? [{ first: baseline, second: candidate }] : json
    if (ifJson(pairs, judging)) return 'json'
    if (as === 'json') return refuseBaseline(judging, 'json')
  }
  if ((as === 'ndjson' || as === undefined) && ifNdjson(text, as === 'ndjson', judging)) return 'ndjson'
  if (as === 'ndjson') return refuseBaseline(judging, 'ndjson')
  if (as !== 'text' && ifCsv(text, isTable, judging)) return 'csv'
  refuseRules(judging, 'text')
  judgeText(text.first, text.second, judging.contract, judging.findings)
  return 'text'
}

const nothingAllowed: Contract = {
  ...{ compare: 'values', schema: null, schemaSnippet: null, order: 'significant' },
  ...{ keys: [], ignore: [], rules: [] },
}

/** Whether documents in which a contract finds nothing differ in what it does not look at. */
function differsUnseen(baseline: Uint8Array, candidate: Uint8Array, { contract, options }: Judging): boolean {
  if (contract.ignore.length === 0 && contract.compare === 'values') return false
  if (sameBytes(baseline, 0, baseline.length, candidate, 0, candidate.length)) return false
  const findings = new Findings({ breaksMax: 0 })
  judgeAs(baseline, candidate, { contract: nothingAllowed, options, findings, isFirst: false })
  return findings.breakCount > 0
}

/**
 * Judges a candidate against a baseline by a contract, in time and memory that grow with their length alone. Numbers are
 * decimals by their spelling: `1.0` differs from `1`, unless a rule says how far numbers may differ.
 * @param baseline `null` while there is none.
 * @throws ContractError if the contract does not fit the documents, or its schema is wrong; CompareError if the baseline
 * is not what `as` says, or a document is too deep.
 */
export function judge(
  baseline: Uint8Array | null,
  candidate: Uint8Array,
  contract: Contract,
  options: JudgeOptions = {},
): Judgement {
  const findings = new Findings(options)
  const judging: Judging = { contract, options, findings, isFirst: baseline === null }
  const as = judgeAs(baseline ?? candidate, candidate, judging)
  const isFine = findings.breakCount + findings.allowedCount === 0
  if (isFine && baseline !== null && differsUnseen(baseline, candidate, judging)) findings.allow()
  const { breaks, breakCount, allowedCount } = findings
  const fine = baseline === null ? 'new' : allowedCount > 0 ? 'allowed' : 'same'
  return {
    verdict: breakCount > 0 ? 'breaks' : fine,
    as,
    counts: { breaks: breakCount, allowed: allowedCount },
    breaks,
    truncated: breakCount > breaks.length || findings.isCut,
  }
}
