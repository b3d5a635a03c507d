import type { z } from 'zod'
import type { FieldError } from '#libs/core/domain-error.js'
import type { NewData } from '#proto/snipkeep/content/v1/document_service.js'
import type { RouteParts } from '../features/feature-dependencies.js'
import { readIdempotencyKey } from '../http/idempotency-key.js'
import type { Caller, RequestContext } from '../http/request-context.js'
import type { DocumentSink } from './data-receiver.js'
import { openDocumentSink, type UploadPurpose } from './document-sink.js'
import { parseBodyFields } from './parse-fields.js'
import { defaultBodyTimeLimits, type ReceivedBody, readBody } from './read-body.js'

/** What a body must be like, and what becomes of it. */
export interface BodyWishes<Schema extends z.ZodObject> {
  /** The fields beside `data`. */
  readonly fields: Schema
  readonly data: 'required' | 'optional'
  readonly noun: 'snippet' | 'share'
  readonly operation: UploadPurpose['operation']
  /** Whether `Idempotency-Key` counts. */
  readonly repeatable: boolean
  /** Checks other headers, once those of the body let it through. */
  readonly checkHead?: () => void
  /** Decides whether `data` may come, before any of it is stored. */
  readonly admitData?: () => Promise<void>
}

/** The body of a write request: its checked fields, and where the bytes of `data` are. */
export interface Received<Fields> {
  readonly fields: Fields
  /** Absent when there was no `data`. */
  readonly data: NewData | undefined
  /** Whoever sent it, as known when it had arrived. */
  readonly sender: Caller
  /** Empty when there was none. */
  readonly idempotencyKey: string
}

/** How long a body may take to arrive before its sender is looked up again, in milliseconds. */
const promptMs = 500

const dataRequired: FieldError = { pointer: '/data', code: 'required', detail: 'data is required.' }

function dataMessage(data: ReceivedBody['data']): NewData | undefined {
  if (data === null) return undefined
  return data.kind === 'inline'
    ? { source: { $case: 'inline', value: data.bytes } }
    : { source: { $case: 'documentId', value: data.documentId } }
}

/** A sink that is opened once its data has been admitted; without a condition it is opened at once. */
function admittedSink(admit: (() => Promise<void>) | undefined, open: () => DocumentSink): DocumentSink {
  if (admit === undefined) return open()
  let cancelled = false
  const opened = admit().then(() => (cancelled ? null : open()))
  opened.catch(() => {})
  const sink = async (): Promise<DocumentSink> => {
    const found = await opened
    if (found === null) throw new Error('the upload was cancelled')
    return found
  }
  return {
    write: async (chunk) => (await sink()).write(chunk),
    finish: async () => (await sink()).finish(),
    cancel() {
      cancelled = true
      opened.then((found) => found?.cancel()).catch(() => {})
    },
  }
}

/**
 * Reads and checks the body of a write request. What was uploaded is withdrawn when anything is wrong.
 * @throws DomainError for every way in which a body can be refused (400, 408, 413, 415, 503), and 401 or 403 when its
 * sender may not send it any more.
 */
export async function receiveBody<Schema extends z.ZodObject>(
  { plans, upstreams, uploads, callerNow }: RouteParts,
  context: RequestContext,
  caller: Caller,
  wishes: BodyWishes<Schema>,
): Promise<Received<z.infer<Schema>>> {
  const begunAt = performance.now()
  const { plan } = caller
  const { operation, noun } = wishes
  const bytesMax = plans[plan].dataBytes
  const proBytesMax = plans.pro.dataBytes
  let checked: z.infer<Schema> | undefined
  let idempotencyKey = ''
  const rules = {
    fields: new Set(Object.keys(wishes.fields.shape)),
    data: { bytesMax, plan, noun, ...(proBytesMax > bytesMax ? { proBytesMax } : {}) },
    limits: defaultBodyTimeLimits,
    checkHead: (): void => {
      wishes.checkHead?.()
      if (wishes.repeatable) idempotencyKey = readIdempotencyKey(context)
    },
    check: ({ fields, dataSeen, problems }: Omit<ReceivedBody, 'data'>): void => {
      const missing = wishes.data === 'required' && !dataSeen ? [dataRequired] : []
      checked = parseBodyFields(wishes.fields, fields, [...problems, ...missing])
    },
  }
  const openSink = () =>
    admittedSink(wishes.admitData, () =>
      openDocumentSink(upstreams.documents, context, caller, { operation, idempotencyKey }),
    )
  const { data } = await readBody(context.request, context.response, rules, openSink, uploads)
  if (data?.kind === 'inline') await wishes.admitData?.()
  if (checked === undefined) throw new Error('a body was read and not checked')
  const prompt = performance.now() - begunAt < promptMs
  const sender = prompt ? caller : await callerNow(context, caller)
  return { fields: checked, data: dataMessage(data), sender, idempotencyKey }
}
