import { findTool } from '#engine/tools/registry.js'
import { encodingOption, type ToolDescription } from '#engine/tools/tool.js'
import { DomainError } from '#libs/core/domain-error.js'
import { createByteBudget } from '#libs/runtime/byte-budget.js'
import { sharedInputName, toolInputField } from '#shared/core/tool-form-field.js'
import type { ByteSource } from '../../body/body-bytes.js'
import { envelopeBytesMax } from '../../body/body-errors.js'
import { readForm } from '../../body/receive-bytes.js'
import { isForeignForm } from '../../http/form-origin.js'
import { sendBytes } from '../../http/send-bytes.js'
import { anonymousReader, type RateLimits } from '../../rate-limits/rate-limits.js'
import { notFound } from '../../request/problem.js'
import { documentCall, type RequestContext } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { partsOf } from './jobs.js'
import { noteHeader, toolOutput } from './tool-output.js'
import { readToolQuery } from './tool-query.js'

const outputBytesMax = 1_048_576

/** The memory for forms, in total and for one client IP. */
const formBytes = { bytesMax: 2 * 1_048_576, holderBytesMax: 262_144 }

/** Runs the tool of a form's path with its fields, and responds with the output as text. */
export type HandleToolForm = (context: RequestContext, name: string) => Promise<void>

function foreignForm(): DomainError {
  return new DomainError('forbidden', 'origin_not_allowed', 'Only the page of the tool may send this form.')
}

function outputTooLarge({ name }: ToolDescription): DomainError {
  const message = `The output is too large for a form. Allow scripts for this page, or run the tool on your machine: snipkeep tool ${name} FILE`
  return new DomainError('too-large', 'tool_too_large', message)
}

/**
 * The text of the form, which is UTF-8 whatever `encoding` says, and its options. Browsers send the lines of a text area
 * with CRLF, which no one typed.
 */
function readFields(
  form: URLSearchParams,
  { options }: ToolDescription,
): { readonly input: Buffer; readonly options: URLSearchParams } {
  const input = Buffer.from((form.get(toolInputField) ?? '').replaceAll('\r\n', '\n'))
  // A box that is not checked sends only the field before it; of one that is, the last value counts.
  const isOption = (name: string): boolean =>
    Object.hasOwn(options.shape, name) && options.shape[name] !== encodingOption
  const chosen = new Map([...form].filter(([name]) => isOption(name)))
  return { input, options: new URLSearchParams([...chosen]) }
}

function sourceOf(input: Buffer): ByteSource {
  const chunks = [input]
  return { next: async () => chunks.shift() ?? null, stop: () => {} }
}

/** Bytes that are not text are downloaded. */
function headersOf({ name, output }: ToolDescription): Readonly<Record<string, string>> {
  const isText = output.mediaType !== 'application/octet-stream'
  return {
    'Content-Type': isText ? 'text/plain; charset=utf-8' : output.mediaType,
    'Content-Security-Policy': "sandbox; default-src 'none'",
    ...(isText ? {} : { 'Content-Disposition': `attachment; filename="${name}.${output.extension}"` }),
  }
}

/** What was shared with the installed app without its service worker: it is not read. */
function leadToTools({ response }: RequestContext): void {
  response.writeHead(303, { Location: '/tools', Connection: 'close' })
  response.end()
}

/**
 * `POST /tools/{name}`: what the page of a tool sends where scripts are off. Anyone may send it, so it is small, rare
 * and short.
 * @throws DomainError as `POST /api/tools/{name}` does.
 */
export function createToolForm(
  limits: Pick<RateLimits, 'take' | 'report' | 'ofForms'>,
  { runJob, publicBaseUrl }: Pick<FeatureDependencies, 'runJob' | 'publicBaseUrl'>,
): HandleToolForm {
  const forms = createByteBudget(formBytes)
  const origins = [new URL(publicBaseUrl).origin]
  return async (context, name) => {
    if (name === sharedInputName) return leadToTools(context)
    if (isForeignForm(context.request, origins)) throw foreignForm()
    await limits.take(context, limits.ofForms(context.clientAddress)).finally(() => limits.report(context))
    const tool = findTool(name)
    if (tool === null) throw notFound('This tool')
    const { input, options } = readFields(await readForm(context, forms), tool)
    const query = readToolQuery(tool, options)
    const limit = { bytesMax: envelopeBytesMax, tooMuch: () => outputTooLarge(tool) }
    const order = { plan: 'free', reader: anonymousReader(context), inputBytes: input.length } as const
    const sizes = { input: 0, output: 0 }
    const run = { ...order, tool, options: query.options, limit, sizes, onNote: noteHeader(context) }
    const output = toolOutput(runJob, run, sourceOf(input), documentCall(context))
    try {
      const { parts, length } = await partsOf(output, outputBytesMax)
      if (length === null) throw outputTooLarge(tool)
      await sendBytes(context.response, { ...headersOf(tool), 'Content-Length': length }, parts)
    } finally {
      output.stop(new Error('the form was answered'))
    }
  }
}
