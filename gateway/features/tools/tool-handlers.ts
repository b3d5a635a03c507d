import { callUnary } from '#libs/grpc/call.js'
import { findTool } from '#libs/tools/registry.js'
import type { ToolDescription } from '#libs/tools/tool.js'
import { dataTooLarge } from '#shared/core/data-size.js'
import { planMessage } from '#shared/plan-messages.js'
import { type BodyTimeLimits, type ByteSource, createRequestBytes } from '../../body/body-bytes.js'
import { createInflatedBytes } from '../../body/inflated-bytes.js'
import { RequestAborted, readEncoding } from '../../body/read-body.js'
import type { Conversion } from '../../body/receive-body.js'
import { uploadWindowBytes } from '../../body/upload-budget.js'
import { notFound } from '../../http/problem.js'
import type { ReaderPaceRules } from '../../http/reader-pace.js'
import {
  type AccountHandler,
  type Caller,
  type RequestContext,
  shortCall,
} from '../../http/request-context.js'
import { type Part, sendBytes } from '../../http/send-bytes.js'
import { authorize } from '../../pipeline/admit.js'
import { accountReader } from '../../rate-limits/rate-limits.js'
import { createSlots } from '../../rate-limits/slots.js'
import type { RouteParts } from '../feature-dependencies.js'
import { type InputLimit, type RunSizes, toolOutput } from './tool-output.js'
import { readToolQuery, type ToolQuery } from './tool-query.js'

/** A run has a thread to itself until its output has been read. */
const runRules = {
  activity: 'running tools',
  max: 2,
  anonymousMax: 0,
  perReaderMax: 1,
  waitMs: 5_000,
  waitersMax: 16,
  waitersPerReaderMax: 2,
}

/** Stricter than for other bodies and responses, because a thread waits. */
const bodyLimits: BodyTimeLimits = { idleMs: 10_000, minBytesPerSecond: 256_000, afterMs: 10_000 }
const readerPace: ReaderPaceRules = { minBytesPerSecond: 256_000, afterMs: 10_000 }

/** Up to this size, output is sent once it is complete, so that bad input always gets a problem. */
const wholeBytesMax = 1_048_576

async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  for (let chunk = await source.next(); chunk !== null; chunk = await source.next()) yield chunk
}

/** Short output with its length; of longer output the beginning and the rest. */
async function partsOf(source: ByteSource): Promise<{ parts: readonly Part[]; length: number | null }> {
  const first: Buffer[] = []
  let length = 0
  for (let chunk = await source.next(); chunk !== null; chunk = await source.next()) {
    first.push(chunk)
    length += chunk.length
    if (length > wholeBytesMax) return { parts: [Buffer.concat(first), chunksOf(source)], length: null }
  }
  return { parts: [Buffer.concat(first)], length }
}

/** One run of a tool. */
interface Run {
  readonly context: RequestContext
  readonly caller: Caller
  readonly tool: ToolDescription
  readonly query: ToolQuery
  readonly limit: InputLimit
  readonly sizes: RunSizes
}

/** @throws DomainError 413 `data_too_large` if the declared length is beyond the limit. */
function inputLimit({ plans }: RouteParts, { request }: RequestContext, { plan }: Caller): InputLimit {
  const bytesMax = plans[plan].dataBytes
  const declared = Number(request.headers['content-length'] ?? 0)
  const limit = {
    bytesMax,
    plan,
    noun: 'run of a tool',
    ...(plans.pro.dataBytes > bytesMax ? { proBytesMax: plans.pro.dataBytes } : {}),
  } as const
  if (readEncoding(request) === 'identity' && declared > bytesMax)
    throw dataTooLarge({ ...limit, actualBytes: declared })
  return { bytesMax, tooMuch: () => dataTooLarge(limit) }
}

function openInput({ request }: RequestContext, { bytesMax, tooMuch }: InputLimit): ByteSource {
  const wire = createRequestBytes(request, bodyLimits)
  return readEncoding(request) === 'gzip' ? createInflatedBytes(wire, 2 * bytesMax, tooMuch) : wire
}

/** Sends the output as the response. */
async function sendOutput({ context, tool, query, limit, sizes }: Run): Promise<void> {
  const { request, response } = context
  const job = { name: tool.name, options: query.options }
  const output = toolOutput(job, openInput(context, limit), sizes, limit)
  const gone = new RequestAborted()
  const onClose = (): void => output.stop(gone)
  response.once('close', onClose)
  try {
    if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue()
    const { parts, length } = await partsOf(output)
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
type Keeper = (context: RequestContext, caller: Caller, conversion: Conversion) => Promise<void>

/** What may keep an output. */
export interface Keepers {
  readonly createSnippet: Keeper
  readonly putSnippet: Keeper
  readonly createShare: Keeper
}

/** The query of the raw upload that an output becomes. */
function uploadQuery({ name, output }: ToolDescription, query: ToolQuery): URLSearchParams {
  const search = new URLSearchParams({ tool: name, key: query.key ?? output.extension })
  for (const passed of ['title', 'expires_in', 'max_views', 'burn', 'allow_secrets'] as const)
    if (query[passed] !== undefined) search.set(passed, String(query[passed]))
  return search
}

function keepOutput(keepers: Keepers, { context, caller, tool, query, limit, sizes }: Run): Promise<void> {
  const job = { name: tool.name, options: query.options }
  const convert = (body: ByteSource): ByteSource => toolOutput(job, body, sizes, limit)
  const conversion = { search: uploadQuery(tool, query), convert }
  if (query.share === true) return keepers.createShare(context, caller, conversion)
  if (query.save === 'true') return keepers.createSnippet(context, caller, conversion)
  context.params = { ...context.params, id: `@${query.save}` }
  return keepers.putSnippet(context, caller, conversion)
}

async function recordRun({ upstreams }: RouteParts, { context, caller, tool, sizes }: Run): Promise<void> {
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

/** The handler of `POST /api/tools/{name}`. */
export function runTool(parts: RouteParts, keepers: Keepers): AccountHandler {
  const slots = createSlots(runRules)
  return async (context, caller) => {
    const tool = findTool(context.params.name ?? '')
    if (tool === null) throw notFound('This tool')
    const keeps = context.search.has('save') || context.search.has('share')
    if (keeps) authorize({ method: 'post', access: 'account', scope: 'write' }, caller, parts.plans)
    const query = readToolQuery(tool, context.search)
    const limit = inputLimit(parts, context, caller)
    const run: Run = { context, caller, tool, query, limit, sizes: { input: 0, output: 0 } }
    const releases = [await slots.take(accountReader(caller), context.signal)]
    try {
      // The body of what is kept reserves its own memory.
      if (!keeps) releases.push(parts.uploads.reserve(uploadWindowBytes))
      await (keeps ? keepOutput(keepers, run) : sendOutput(run))
      if (query.history === true) await recordRun(parts, run)
    } finally {
      for (const release of releases) release()
    }
  }
}
