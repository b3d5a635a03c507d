import { z } from 'zod'
import { schemaSnippetOf } from '#engine/contract/parse-rules.js'
import { DomainError } from '#libs/core/domain-error.js'
import { readableSize } from '#libs/core/readable-text.js'
import type { ContractJob } from '#proto/snipkeep/tools/v1/job_service.js'
import { sourceOf } from '../../data/locate-value.js'
import { dataPart } from '../../data/stored-data.js'
import { accountReader } from '../../rate-limits/rate-limits.js'
import {
  type Caller,
  isId,
  isNameReference,
  type RequestContext,
  searchCall,
  shortCall,
} from '../../request/request-context.js'
import { tooManyBytes } from '../compare/compare-operation.js'
import type { Source } from '../compare/find-source.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { partsOf } from '../tools/jobs.js'

/** What judging needs. */
export type JudgeDependencies = Pick<
  FeatureDependencies,
  'compareBytesMax' | 'documentReads' | 'readSnippet' | 'runJob'
>

/** Breaks that are kept; tools list up to 64 KiB of them. */
const breaksMax = 100
const outputBytesMax = 131_072

/** What a job says of a candidate. */
const judgement = z.object({
  verdict: z.enum(['same', 'allowed', 'breaks', 'new']),
  as: z.enum(['json', 'ndjson', 'csv', 'text']),
  counts: z.object({ breaks: z.int(), allowed: z.int() }),
  breaks: z.array(z.looseObject({})),
  truncated: z.boolean(),
})
export type Judged = z.infer<typeof judgement>

/** What is judged; without a candidate, only the rules are read. */
export interface Judging {
  readonly context: RequestContext
  readonly caller: Caller
  /** The JSON object of the rules. */
  readonly rules: Buffer
  readonly baseline: Source | null
  readonly candidate: Source | null
  /** Takes what is large from the caller's budget. */
  readonly spend: (bytes: number) => Promise<void>
  /** Whether the snippet with the schema, if it is not there, is one that will be; then only the rules are read. */
  readonly isExpected?: (reference: string) => boolean
}

/** 400 `validation_failed` at a place of the rules. */
function wrongRules(pointer: string, detail: string, cause?: unknown): DomainError {
  const errors = [{ pointer, code: 'invalid', detail }]
  return new DomainError('invalid', 'validation_failed', detail, { pointer, errors }, { cause })
}

const schemaPointer = '/schema/snippet'

/** Instead of one that is not there yet. */
const emptySchema: Source = { data: { $case: 'inline', value: Buffer.from('{}') }, sizeBytes: 2 }

/** The snippet with the schema that rules name; `null` if they name none. */
async function schemaOf(
  { readSnippet }: Pick<FeatureDependencies, 'readSnippet'>,
  { context, caller, rules, isExpected }: Judging,
): Promise<Source | null> {
  const id = schemaSnippetOf(JSON.parse(rules.toString('utf8')).schema)
  if (id === null) return null
  const missing = `The snippet ${id.slice(0, 101)} with the schema does not exist.`
  if (!isId(id) && !isNameReference(id)) throw wrongRules(schemaPointer, missing)
  const request = { ownerId: caller.accountId, id, includeData: true }
  try {
    return (await readSnippet(request, shortCall(context))).snippet
  } catch (error) {
    const isTheirs =
      error instanceof DomainError && (error.kind === 'not-found' || error.kind === 'forbidden')
    if (isTheirs && isExpected?.(id) === true) return emptySchema
    throw isTheirs ? wrongRules(schemaPointer, missing, error) : error
  }
}

/**
 * Checks whether data could be judged by this version.
 * @throws DomainError `compare_too_large`.
 */
export function checkJudgeable(
  { compareBytesMax: limit }: Pick<JudgeDependencies, 'compareBytesMax'>,
  { sizeBytes: actual }: Pick<Source, 'sizeBytes'>,
): void {
  if (actual <= limit) return
  const message = `The current version has ${readableSize(actual)}. The server judges up to ${readableSize(limit)}: the version, the data of a check and a schema in a snippet together. Replace it by a smaller one first, or judge on your machine, at any size: snipkeep diff A B --contract FILE`
  throw new DomainError('too-large', 'compare_too_large', message, { limit, actual })
}

/** Runs a job with the baseline, the candidate and the schema, and returns its output. */
async function run(
  { documentReads, compareBytesMax, runJob, ...rest }: JudgeDependencies,
  judging: Judging,
): Promise<Buffer> {
  const { context, caller, rules, baseline, candidate, spend } = judging
  const schema = await schemaOf(rest, judging)
  const given = [baseline, candidate, schema].filter((source) => source !== null)
  const inputBytes = given.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (inputBytes > compareBytesMax) throw tooManyBytes(compareBytesMax, inputBytes)
  await spend(inputBytes)
  const reader = accountReader(caller)
  const request = { context: searchCall(context), reader }
  const inputs = given.map(({ data }) => sourceOf(dataPart(documentReads, data, request)))
  const value: ContractJob = {
    ...{ rules, hasBaseline: baseline !== null, hasCandidate: candidate !== null },
    ...{ hasSchema: schema !== null, limit: breaksMax },
  }
  const order = { reader, plan: caller.plan, inputBytes, inputs, job: { $case: 'contract', value } } as const
  const output = runJob(order, searchCall(context))
  try {
    const { parts, length } = await partsOf(output, outputBytesMax)
    if (length === null) throw new Error('tools returned a judgement that is too long')
    return Buffer.concat(parts.filter((part) => part instanceof Uint8Array))
  } finally {
    output.stop(new Error('the judgement has ended'))
  }
}

/**
 * Reads rules where contracts run, with the schema that they name.
 * @throws DomainError `validation_failed` with the place of a mistake.
 */
export async function checkRules(
  dependencies: JudgeDependencies,
  judging: Pick<Judging, 'context' | 'caller' | 'isExpected' | 'rules' | 'spend'>,
): Promise<void> {
  await run(dependencies, { ...judging, baseline: null, candidate: null })
}

/**
 * Judges a candidate.
 * @throws DomainError `validation_failed` with the place in the contract if that does not fit, `compare_too_large`.
 */
export async function judgeCandidate(
  dependencies: JudgeDependencies,
  judging: Judging & { readonly candidate: Source },
): Promise<Judged> {
  const output = await run(dependencies, judging)
  return judgement.parse(JSON.parse(output.toString('utf8')))
}
