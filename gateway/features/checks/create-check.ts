import { DomainError, unavailable } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import {
  Accept,
  type CreateCheckResponse,
  type GetBaselineResponse,
  type Judgement,
  Verdict,
} from '#proto/snipkeep/content/v1/check_service.js'
import { Operation as Purpose } from '#proto/snipkeep/content/v1/document_service.js'
import type { Snippet } from '#proto/snipkeep/content/v1/snippet_service.js'
import { planMessage } from '#shared/plan-messages.js'
import { envelopeBytesMax } from '../../body/body-errors.js'
import { parseQuery } from '../../body/parse-fields.js'
import {
  type BodyHead,
  type BodyOptions,
  type Received,
  readBodyHead,
  receiveBody,
} from '../../body/receive-body.js'
import { chunksOf } from '../../data/locate-value.js'
import { spendingOf } from '../../data/pointer-budget.js'
import { dataPart } from '../../data/stored-data.js'
import { replayedHeader, sendCreated } from '../../http/responses.js'
import { accountReader } from '../../rate-limits/rate-limits.js'
import {
  type AccountHandler,
  type Caller,
  documentCall,
  isNameReference,
  principalOf,
  type RequestContext,
  shortCall,
  snippetInPath,
} from '../../request/request-context.js'
import { quoteTag } from '../../request/request-head.js'
import { tooManyBytes } from '../compare/compare-operation.js'
import {
  checkJudgeable,
  type JudgeDependencies,
  type Judged,
  type Judging,
  judgeCandidate,
} from '../contracts/judge-candidate.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { lastWord } from '../schemas.js'
import { checkResponse, verdictMessages } from './check-response.js'
import * as schemas from './check-schemas.js'

/** What creating a check needs. */
export type CreateCheckDependencies = JudgeDependencies &
  Pick<
    FeatureDependencies,
    'plans' | 'publicBaseUrl' | 'reauthenticate' | 'shareSecrets' | 'uploads' | 'upstreams'
  >

type Fields = typeof schemas.newCheck._output
type Candidate = Received<Fields>

/** How often a candidate is judged again because its baseline has changed meanwhile. */
const againMax = 5

const acceptMessages = {
  same: Accept.ACCEPT_SAME,
  allowed: Accept.ACCEPT_ALLOWED,
  never: Accept.ACCEPT_NEVER,
} as const

/** As much of a document as its first key can take. */
const beginningBytes = 2_048
const beginsWithText = /^\s*\{\s*("(?:[^"\\]|\\.)*")\s*:\s*"/

/** The member of a document that begins with a text, as raw uploads do: `csv` of `{"csv":"a,b…`. */
async function keyOfText(
  { documentReads }: Pick<FeatureDependencies, 'documentReads'>,
  context: RequestContext,
  caller: Caller,
  { data, sizeBytes }: Snippet,
): Promise<string | null> {
  const request = { context: documentCall(context), reader: accountReader(caller) }
  const range = { offset: 0, length: Math.min(sizeBytes, beginningBytes) }
  const chunks: Uint8Array[] = []
  for await (const chunk of chunksOf(dataPart(documentReads, data, request, range))) chunks.push(chunk)
  const [, key] = beginsWithText.exec(Buffer.concat(chunks).toString('utf8')) ?? []
  return key === undefined ? null : JSON.parse(key)
}

/** The snippet as it is before the body is received; `null` if there is none of this name. */
async function currentSnippet(
  { readSnippet }: Pick<FeatureDependencies, 'readSnippet'>,
  context: RequestContext,
  { accountId: ownerId }: Caller,
): Promise<Snippet | null> {
  const id = snippetInPath(context)
  try {
    return (await readSnippet({ ownerId, id, includeData: true }, shortCall(context))).snippet
  } catch (error) {
    if (isNameReference(id) && error instanceof DomainError && error.kind === 'not-found') return null
    throw error
  }
}

/**
 * Checks before a candidate is received whether it can be judged, as far as its declared length says. A retry may be
 * larger, since its response is that of the first.
 * @throws DomainError `compare_too_large`.
 */
export function checkAnnounced(
  { compareBytesMax }: Pick<JudgeDependencies, 'compareBytesMax'>,
  current: Pick<Snippet, 'sizeBytes'> | null,
  { headers: { gzip, declared }, rules, idempotencyKey }: BodyHead<unknown>,
): void {
  if (current === null || idempotencyKey !== '') return
  checkJudgeable({ compareBytesMax }, current)
  const fieldBytes = rules.dataAlone === true ? 0 : envelopeBytesMax
  // Inflated, or converted from another encoding, it may have any size.
  const isOtherwiseStored = gzip || rules.asJson !== undefined
  const leastBytes = current.sizeBytes + (isOtherwiseStored ? 0 : Math.max(0, (declared ?? 0) - fieldBytes))
  if (leastBytes > compareBytesMax) throw tooManyBytes(compareBytesMax, leastBytes)
}

/** Receives a candidate. A text gets the name that it has in the current version. */
async function receiveCandidate(
  dependencies: CreateCheckDependencies,
  context: RequestContext,
  caller: Caller,
): Promise<Candidate> {
  const current = await currentSnippet(dependencies, context, caller)
  const textKey = current && (await keyOfText(dependencies, context, caller, current))
  const options: BodyOptions<typeof schemas.newCheck> = {
    ...{ fields: schemas.newCheck, data: 'required', noun: 'check', repeatable: true },
    operation: Purpose.OPERATION_CREATE_CHECK,
    parameters: Object.keys(schemas.checkQuery.shape),
    toolIsKnown: current !== null,
    raw(search) {
      const { tool, title, key, encoding } = parseQuery(schemas.rawCheck, search)
      const named = key ?? textKey ?? lastWord(tool ?? current?.tool ?? '')
      return { fields: { tool, title }, key: named, encoding }
    },
  }
  const head = readBodyHead(dependencies, context, caller, options)
  checkAnnounced(dependencies, current, head)
  return receiveBody(dependencies, context, caller, head)
}

function judgementMessage(
  { verdict, as, counts, breaks, truncated }: Judged,
  { snippet, contractVersion }: GetBaselineResponse,
): Judgement {
  return {
    ...{ verdict: verdictMessages[verdict], as, breaks: JSON.stringify(breaks), truncated },
    ...{ breakCount: counts.breaks, allowedCount: counts.allowed },
    ...{ baselineVersion: snippet?.revision ?? 0, contractVersion },
  }
}

/** Of data that was stored by an earlier request: its check is returned, and nothing is kept of this one. */
const judgedBefore: Judgement = {
  ...{ verdict: Verdict.VERDICT_BREAKS, as: 'json', breaks: '[]', truncated: false },
  ...{ breakCount: 0, allowedCount: 0, baselineVersion: 0, contractVersion: 0 },
}

/** Takes from the caller's budget what is judged, and when it is judged again only what is more. */
function spendingOnce({ spend }: Pick<ReturnType<typeof spendingOf>, 'spend'>): Judging['spend'] {
  let paidBytes = 0
  return async (bytes) => {
    if (bytes <= paidBytes) return
    await spend(bytes - paidBytes)
    paidBytes = bytes
  }
}

/** Judges a candidate by what is current, and keeps it with the verdict; again if that has changed meanwhile. */
async function judgeUntilKept(
  dependencies: CreateCheckDependencies,
  context: RequestContext,
  candidate: Candidate,
  spend: Judging['spend'],
): Promise<CreateCheckResponse> {
  const { checks: client } = dependencies.upstreams
  const { accept, source = '' } = parseQuery(schemas.checkQuery, context.search)
  const { fields, sender, data, dataBytes, idempotencyKey, isRepeated } = candidate
  const reference = { ownerId: sender.accountId, id: snippetInPath(context) }
  const judge = ({ snippet, rules }: GetBaselineResponse): Promise<Judged> =>
    judgeCandidate(dependencies, {
      ...{ context, caller: sender, spend, rules: Buffer.from(rules || '{}') },
      ...{ baseline: snippet ?? null, candidate: { data: data?.source, sizeBytes: dataBytes } },
    })
  for (let again = 0; ; again += 1) {
    const baseline = await callUnary(client, client.getBaseline, reference, shortCall(context))
    const judgement = isRepeated ? judgedBefore : judgementMessage(await judge(baseline), baseline)
    const request = {
      ...{ ...reference, plan: planMessage(sender.plan), tool: fields.tool ?? '', title: fields.title ?? '' },
      ...{ data, judgement, accept: acceptMessages[accept], idempotencyKey, source },
      baselineId: baseline.snippet?.id ?? '',
      principal: principalOf(sender),
    }
    try {
      return await callUnary(client, client.createCheck, request, shortCall(context))
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'baseline_changed') throw error
      if (again === againMax)
        throw unavailable('The snippet or its contract changes all the time. Try again.', error)
    }
  }
}

/** Judges a candidate and keeps it. The caller's budget pays for it once, and for nothing that is unavailable. */
export async function judgeAndKeep(
  dependencies: CreateCheckDependencies,
  context: RequestContext,
  candidate: Candidate,
): Promise<CreateCheckResponse> {
  const { pointerBudget } = dependencies.documentReads
  const spending = spendingOf(pointerBudget, accountReader(candidate.sender))
  try {
    return await judgeUntilKept(dependencies, context, candidate, spendingOnce(spending))
  } catch (error) {
    spending.refund(error)
    throw error
  }
}

/** The handler of `POST /api/snippets/{id}/checks`. */
export function createCheck(dependencies: CreateCheckDependencies): AccountHandler {
  const { publicBaseUrl } = dependencies
  return async (context, caller) => {
    parseQuery(schemas.checkQuery, context.search)
    const candidate = await receiveCandidate(dependencies, context, caller)
    const { check, replayed } = await judgeAndKeep(dependencies, context, candidate).catch(
      async (error: unknown) => {
        await candidate.discard()
        throw error
      },
    )
    if (check === undefined) throw new Error('content returned no check')
    // An uploaded candidate with the bytes of the baseline is not needed.
    if (check.version > 0 && check.version === check.judgement?.baselineVersion) await candidate.discard()
    const body = checkResponse(publicBaseUrl, check)
    sendCreated(context, body, `${publicBaseUrl}/checks/${check.id}`, {
      Location: `${publicBaseUrl}/api/checks/${check.id}`,
      ETag: quoteTag(check.etag),
      ...replayedHeader(replayed),
    })
  }
}
