import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import type { EncodingName } from '#engine/encoding/encodings.js'
import type { FoundSecret } from '#engine/secrets/match-secret.js'
import { DomainError, type FieldError, validationFailed } from '#libs/core/domain-error.js'
import type { NewData, WriteDocumentResponse } from '#proto/snipkeep/content/v1/document_service.js'
import type { DataLimit } from '#shared/core/data-size.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import type { Caller, RequestContext } from '../request/request-context.js'
import { readIdempotencyKey } from '../request/request-head.js'
import type { Upstreams } from '../upstreams.js'
import type { ByteSource } from './body-bytes.js'
import { dataLimit, unsupportedMediaType } from './body-errors.js'
import { checkedSink, discardUpload, openDocumentSink, type UploadPurpose } from './document-sink.js'
import type { Envelope } from './envelope-scanner.js'
import { parseBodyFields, unknownParameters } from './parse-fields.js'
import { rawKindOf, rawMediaTypes, textAsData, textIn } from './raw-body.js'
import {
  type BodyHeaders,
  type BodyRules,
  defaultBodyTimeLimits,
  isJson,
  mayBeLarge,
  readBody,
  readBodyHeaders,
} from './read-body.js'
import type { SecretPolicy } from './secret-policy.js'
import type { UploadBudget } from './upload-budget.js'

/** What receives bodies. */
export interface ReceiveDependencies {
  readonly upstreams: Pick<Upstreams, 'documents'>
  readonly uploads: UploadBudget
  /** @throws DomainError if the caller was revoked or downgraded meanwhile (401, 403). */
  readonly reauthenticate: (context: RequestContext, caller: Caller) => Promise<Caller>
}

/** The rules for a body without `data`. */
export interface FieldOptions<Schema extends z.ZodObject> {
  readonly fields: Schema
  /** The fields that are kept as `RawJson`. */
  readonly rawFields?: readonly (string & keyof z.infer<Schema>)[]
  /** Whether the operation supports `Idempotency-Key`. */
  readonly repeatable: boolean
}

/** The rules for a body that may have `data`. */
export interface BodyOptions<Schema extends z.ZodObject> extends FieldOptions<Schema> {
  readonly data: 'required' | 'optional'
  readonly noun: 'snippet' | 'share' | 'check'
  readonly operation: UploadPurpose['operation']
  /** Reads the query of a raw upload; without it, only JSON is accepted. */
  readonly raw?: (search: URLSearchParams) => RawUpload<z.infer<Schema>>
  /** Parameters of the query that go with a body of JSON, too. */
  readonly parameters?: readonly string[]
  /** Whether a raw upload may leave out `tool`, because it is known. */
  readonly toolIsKnown?: boolean
}

/** The query of a raw upload. */
export interface RawUpload<Fields> {
  readonly fields: Fields
  /** The member of `data` that holds the text. */
  readonly key: string
  /** What the text is in. */
  readonly encoding: 'auto' | EncodingName
}

/** A body that is converted to text before it is stored. */
export interface Conversion {
  /** The query of a raw upload of that text. */
  readonly search: URLSearchParams
  readonly convert: (body: ByteSource) => ByteSource
}

/** What is known of a body before it is read. */
interface Head<Fields> {
  readonly headers: BodyHeaders
  readonly rules: BodyRules<Fields>
  /** Empty if there is none. */
  readonly idempotencyKey: string
}

/** The same for a body that may have `data`. */
export interface BodyHead<Fields> extends Head<Fields> {
  readonly operation: UploadPurpose['operation']
  /** The member of `data` that holds an uploaded text; `null` if `data` was sent as JSON. */
  readonly textKey: string | null
}

/** A body without `data`. */
export interface ReceivedFields<Fields> {
  readonly fields: Fields
  /** Empty if there was none. */
  readonly idempotencyKey: string
}

/** A body that may have `data`. */
export interface Received<Fields> extends ReceivedFields<Fields> {
  /** `undefined` if there was none. */
  readonly data: NewData | undefined
  /** Of `data`. */
  readonly dataBytes: number
  /** The caller, authenticated again if the body took long to arrive. */
  readonly sender: Caller
  /** Whether this is a retry whose data was only compared with the first's: it cannot be read. */
  readonly isRepeated: boolean
  /** Deletes stored data that nothing will claim. Never rejects. */
  readonly discard: () => Promise<void>
  /** The secrets in the data, unless the scan is turned off. */
  readonly secrets: readonly FoundSecret[]
}

/** If a body takes longer to arrive, its sender is authenticated again. */
const promptMs = 500

const jsonEncoding: FieldError = {
  pointer: 'encoding',
  code: 'invalid',
  detail: 'encoding is for text; data is JSON in UTF-8.',
}

const dataRequired: FieldError = { pointer: '/data', code: 'required', detail: 'data is required.' }

function readHead<Schema extends z.ZodObject>(
  context: RequestContext,
  { fields: schema, rawFields, repeatable }: FieldOptions<Schema>,
  data: DataLimit | null,
  isDataRequired: boolean,
): Head<z.infer<Schema>> {
  const rules = {
    fields: new Set(Object.keys(schema.shape)),
    rawFields: new Set<string>(rawFields),
    data,
    limits: defaultBodyTimeLimits,
    parse({ fields, dataSeen, problems }: Envelope): z.infer<Schema> {
      const missing = isDataRequired && !dataSeen ? [dataRequired] : []
      return parseBodyFields(schema, fields, [...problems, ...missing])
    },
  }
  const headers = readBodyHeaders(context.request, rules)
  return { headers, rules, idempotencyKey: repeatable ? readIdempotencyKey(context) : '' }
}

const jsonOrRaw =
  'Send the body as UTF-8 JSON with Content-Type: application/json, or name the tool in the query (?tool=csv) to upload text as it is.'
const noRawType = `Send JSON as application/json, text as ${rawMediaTypes.slice(0, -1).join(' or ')}, in UTF-8 or in the encoding that ?encoding= names (such as ?encoding=windows-1252), or data as ${rawMediaTypes.at(-1)}.`

function readRawHead<Fields>(
  { request, search }: Pick<RequestContext, 'request' | 'search'>,
  readQuery: (search: URLSearchParams) => RawUpload<Fields>,
  data: DataLimit,
  convert?: Conversion['convert'],
): { headers: BodyHeaders; rules: BodyRules<Fields>; textKey: string | null } {
  const kind = convert === undefined ? rawKindOf(request, search.get('encoding')) : 'text'
  if (kind === null) throw unsupportedMediaType(request, ['application/json', ...rawMediaTypes], noRawType)
  const base = { fields: new Set<string>(), data, dataAlone: true, limits: defaultBodyTimeLimits }
  const headers = readBodyHeaders(request, { ...base })
  const { fields, key, encoding } = readQuery(search)
  const parse = ({ problems }: Envelope): Fields => {
    if (problems.length > 0) throw validationFailed(problems)
    return fields
  }
  if (kind === 'data' && encoding !== 'utf-8') throw validationFailed([jsonEncoding])
  if (kind === 'data') return { headers, rules: { ...base, parse }, textKey: null }
  const asText = convert ?? ((body: ByteSource) => textIn(body, encoding))
  return { headers, rules: { ...base, parse, asJson: (body) => textAsData(asText(body), key) }, textKey: key }
}

/**
 * The parameters of a raw upload have no effect on a body of JSON.
 * @throws DomainError `unknown_parameter` if there are any.
 */
function refuseUploadParameters(search: URLSearchParams, known: readonly string[] = []): void {
  const names = [...new Set(search.keys())].filter((name) => !known.includes(name))
  if (names.length === 0) return
  const errors = names.map((name) => ({
    pointer: name,
    code: 'unknown_parameter',
    detail: `${name} is for text that is uploaded as it is. In a JSON body it is a field; or send another Content-Type, such as text/plain.`,
  }))
  throw unknownParameters(errors)
}

/**
 * Decides by the headers alone whether a body is accepted.
 * @param conversion takes a body of any media type.
 * @throws DomainError 415, 413 if the declared length exceeds the limit, 400 for an invalid `Idempotency-Key` or a
 *   parameter without effect.
 */
export function readBodyHead<Schema extends z.ZodObject>(
  { plans, shareSecrets }: { readonly plans: PlanCatalogue; readonly shareSecrets: SecretPolicy },
  context: RequestContext,
  { plan }: Caller,
  options: BodyOptions<Schema>,
  conversion?: Conversion,
): BodyHead<z.infer<Schema>> {
  const limit = dataLimit(plans, plan, options.noun)
  const { operation, raw } = options
  const findsSecrets = shareSecrets !== 'off'
  if (raw === undefined || (conversion === undefined && isJson(context.request))) {
    refuseUploadParameters(context.search, options.parameters)
    const { rules, ...head } = readHead(context, options, limit, options.data === 'required')
    return { ...head, rules: { ...rules, findsSecrets }, operation, textKey: null }
  }
  const { search } = conversion ?? context
  if (options.toolIsKnown !== true && !search.has('tool'))
    throw unsupportedMediaType(context.request, ['application/json'], jsonOrRaw)
  const { rules, ...head } = readRawHead(
    { request: context.request, search },
    raw,
    limit,
    conversion?.convert,
  )
  const idempotencyKey = options.repeatable ? readIdempotencyKey(context) : ''
  return { ...head, rules: { ...rules, findsSecrets }, idempotencyKey, operation }
}

/**
 * Reads and checks the body of a write request. On any error, the upload is discarded.
 * @param checkData may reject `data` before any of it is stored.
 * @throws DomainError if the body is rejected (400, 408, 413, 503), or its sender was revoked or downgraded meanwhile
 *   (401, 403).
 */
export async function receiveBody<Fields>(
  { upstreams, uploads, reauthenticate }: ReceiveDependencies,
  context: RequestContext,
  caller: Caller,
  { headers, rules, operation, idempotencyKey }: BodyHead<Fields>,
  checkData?: () => Promise<void>,
): Promise<Received<Fields>> {
  const startedAt = performance.now()
  const { documents } = upstreams
  const purpose = { operation, idempotencyKey }
  const stored: WriteDocumentResponse[] = []
  const onStored = (document: WriteDocumentResponse): void => void stored.push(document)
  const openSink = () =>
    checkedSink(checkData, () => openDocumentSink(documents, context, caller, { ...purpose, onStored }))
  const { fields, data, dataBytes, secrets } = await readBody(context, headers, rules, openSink, uploads)
  if (data?.source?.$case === 'inline') await checkData?.()
  const prompt = performance.now() - startedAt < promptMs
  const sender = prompt ? caller : await reauthenticate(context, caller)
  const [document] = stored
  return {
    ...{ fields, data, dataBytes, sender, idempotencyKey, secrets },
    isRepeated: document?.compared === true,
    async discard() {
      if (document !== undefined)
        await discardUpload(documents, context, caller, purpose, document.documentId)
    },
  }
}

function noSink(): never {
  throw new Error('a body without data has no document')
}

/**
 * Reads and checks the body of a write request without `data`: at most 64 KiB of JSON.
 * @throws DomainError if the body is rejected (400, 408, 413, 415, 503).
 */
export async function receiveFields<Schema extends z.ZodObject>(
  { uploads }: Pick<ReceiveDependencies, 'uploads'>,
  context: RequestContext,
  options: FieldOptions<Schema>,
): Promise<ReceivedFields<z.infer<Schema>>> {
  const { headers, rules, idempotencyKey } = readHead(context, options, null, false)
  const { fields } = await readBody(context, headers, rules, noSink, uploads)
  return { fields, idempotencyKey }
}

/**
 * Makes `admit`'s errors (403, 404) take precedence over those of the body. A body that may be large is received only
 * after `admit`. A small one is received at once, and `admit` is called only on error, so that the usual request costs
 * no extra call.
 * @param receive gets the result of `admit`, or `null` if it was not called.
 */
export async function checkBeforeBody<Admitted, Result>(
  request: IncomingMessage,
  admit: () => Promise<Admitted>,
  receive: (admitted: Admitted | null) => Promise<Result>,
): Promise<Result> {
  if (mayBeLarge(request)) return receive(await admit())
  try {
    return await receive(null)
  } catch (error) {
    if (error instanceof DomainError) await admit()
    throw error
  }
}
