import { findTool } from '#engine/tools/registry.js'
import type { ToolDescription } from '#engine/tools/tool.js'
import { callUnary } from '#libs/grpc/call.js'
import { dataTooLarge } from '#shared/core/data-size.js'
import { planMessage } from '#shared/plan-messages.js'
import { type BodyTimeLimits, type ByteSource, createRequestBytes } from '../../body/body-bytes.js'
import { dataLimit } from '../../body/body-errors.js'
import { createInflatedBytes } from '../../body/inflated-bytes.js'
import { readEncoding } from '../../body/read-body.js'
import type { Conversion } from '../../body/receive-body.js'
import { uploadWindowBytes } from '../../body/upload-budget.js'
import type { ReaderPaceRules } from '../../http/reader-pace.js'
import { sendBytes } from '../../http/send-bytes.js'
import { authorize } from '../../pipeline/admit.js'
import { accountReader } from '../../rate-limits/rate-limits.js'
import { notFound } from '../../request/problem.js'
import {
  type AccountHandler,
  type Caller,
  documentCall,
  RequestAborted,
  type RequestContext,
  shortCall,
} from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { partsOf, type RunJob } from './jobs.js'
import { type InputLimit, noteHeader, type RunSizes, type ToolOrder, toolOutput } from './tool-output.js'
import { readToolQuery, type ToolQuery } from './tool-query.js'

/** Stricter than for other bodies and responses, because a child process may wait. */
const bodyLimits: BodyTimeLimits = { idleMs: 10_000, minBytesPerSecond: 256_000, afterMs: 10_000 }
const readerPace: ReaderPaceRules = { minBytesPerSecond: 256_000, afterMs: 10_000 }

/** Up to this size, output is sent once it is complete, so that bad input always gets a problem. */
const wholeBytesMax = 1_048_576

/** One run of a tool. */
interface Run {
  readonly runJob: RunJob
  readonly context: RequestContext
  readonly caller: Caller
  readonly tool: ToolDescription
  readonly query: ToolQuery
  readonly limit: InputLimit
  readonly sizes: RunSizes
}

/** @throws DomainError 413 `data_too_large` if the declared length is beyond the limit. */
function inputLimit(
  { plans }: Pick<FeatureDependencies, 'plans'>,
  { request }: RequestContext,
  { plan }: Caller,
): InputLimit {
  const declared = Number(request.headers['content-length'] ?? 0)
  const limit = dataLimit(plans, plan, 'run of a tool')
  const { bytesMax } = limit
  if (readEncoding(request) === 'identity' && declared > bytesMax)
    throw dataTooLarge({ ...limit, actualBytes: declared })
  return { bytesMax, tooMuch: () => dataTooLarge(limit) }
}

/** The size of a body as it is declared; `null` if only its end will tell. */
function declaredBytes({ request }: RequestContext): number | null {
  const length = request.headers['content-length']
  return length === undefined || readEncoding(request) === 'gzip' ? null : Number(length)
}

function orderOf({ context, caller, tool, query, limit, sizes }: Run): ToolOrder {
  const reader = accountReader(caller)
  const inputBytes = declaredBytes(context)
  const onNote = noteHeader(context)
  return { reader, plan: caller.plan, inputBytes, tool, options: query.options, limit, sizes, onNote }
}

function openInput({ request }: RequestContext, { bytesMax, tooMuch }: InputLimit): ByteSource {
  const wire = createRequestBytes(request, bodyLimits)
  return readEncoding(request) === 'gzip' ? createInflatedBytes(wire, 2 * bytesMax, tooMuch) : wire
}

/** Sends the output as the response. */
async function sendOutput(run: Run): Promise<void> {
  const { context, tool, limit } = run
  const { request, response } = context
  const output = toolOutput(run.runJob, orderOf(run), openInput(context, limit), documentCall(context))
  const gone = new RequestAborted()
  const onClose = (): void => output.stop(gone)
  response.once('close', onClose)
  try {
    if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue()
    const { parts, length } = await partsOf(output, wholeBytesMax)
    response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
    const headers = {
      'Content-Type': `${tool.output.mediaType}; charset=utf-8`,
      ...(length === null ? {} : { 'Content-Length': length }),
    }
    await sendBytes(response, headers, parts, readerPace)
  } catch (error) {
    throw request.destroyed && !request.complete ? gone : error
  } finally {
    response.off('close', onClose)
    output.stop(gone)
  }
}

/** Creates or replaces what keeps an output, and responds with that. */
type Keeper = (
  context: RequestContext,
  caller: Caller,
  conversion: Conversion,
  reference?: string,
) => Promise<void>

/** What may keep an output; `putSnippet` under the name that it is given. */
export type Keepers = Readonly<Record<'createSnippet' | 'putSnippet' | 'createShare', Keeper>>

/** The query of the raw upload that an output becomes. */
function uploadQuery({ name, output }: ToolDescription, query: ToolQuery): URLSearchParams {
  const search = new URLSearchParams({ tool: name, key: query.key ?? output.extension })
  for (const passed of ['title', 'expires_in', 'max_views', 'burn', 'allow_secrets'] as const)
    if (query[passed] !== undefined) search.set(passed, String(query[passed]))
  return search
}

function keepOutput(keepers: Keepers, run: Run): Promise<void> {
  const { context, caller, tool, query } = run
  const convert = (body: ByteSource): ByteSource =>
    toolOutput(run.runJob, orderOf(run), body, documentCall(context))
  const conversion = { search: uploadQuery(tool, query), convert }
  if (query.share === true) return keepers.createShare(context, caller, conversion)
  if (query.save === 'true') return keepers.createSnippet(context, caller, conversion)
  return keepers.putSnippet(context, caller, conversion, `@${query.save}`)
}

async function recordRun(
  { upstreams }: Pick<FeatureDependencies, 'upstreams'>,
  { context, caller, tool, sizes }: Run,
): Promise<void> {
  const entry = {
    ownerId: caller.accountId,
    plan: planMessage(caller.plan),
    planVersion: caller.planVersion,
    tool: tool.name,
    action: 'run',
    title: tool.title,
    metadata: Buffer.from(JSON.stringify({ input_bytes: sizes.input, output_bytes: sizes.output })),
    idempotencyKey: '',
  }
  await callUnary(upstreams.history, upstreams.history.recordEntry, entry, shortCall(context))
}

/** What `runTool` needs. */
export type ToolDependencies = Pick<FeatureDependencies, 'plans' | 'runJob' | 'uploads' | 'upstreams'>

/** The handler of `POST /api/tools/{name}`. */
export function runTool(dependencies: ToolDependencies, keepers: Keepers): AccountHandler {
  const { runJob } = dependencies
  return async (context, caller) => {
    const tool = findTool(context.params.name ?? '')
    if (tool === null) throw notFound('This tool')
    const keeps = context.search.has('save') || context.search.has('share')
    if (keeps) authorize({ method: 'post', access: 'account', scope: 'write' }, caller, dependencies.plans)
    const query = readToolQuery(tool, context.search)
    const limit = inputLimit(dependencies, context, caller)
    const run: Run = { runJob, context, caller, tool, query, limit, sizes: { input: 0, output: 0 } }
    // The body of what is kept reserves its own memory.
    const release = keeps ? () => {} : dependencies.uploads.reserve(uploadWindowBytes)
    try {
      await (keeps ? keepOutput(keepers, run) : sendOutput(run))
      if (query.history === true) await recordRun(dependencies, run)
    } finally {
      release()
    }
  }
}
