import { createHmac, randomBytes } from 'node:crypto'
import { DomainError, validationFailed } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import { createByteBudget } from '#libs/runtime/byte-budget.js'
import { isShareId } from '#shared/core/share-id.js'
import { parseBodyFields } from '../../body/parse-fields.js'
import { receiveFields } from '../../body/receive-body.js'
import { readForm } from '../../body/receive-bytes.js'
import type { Operation } from '../../http/operation.js'
import { sendJson } from '../../http/responses.js'
import type { RateLimits } from '../../rate-limits/rate-limits.js'
import { type RequestContext, shortCall } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { newReport, reportReceived } from './report-schemas.js'

/** The memory for forms, in total and for one client IP. */
const formBytes = { bytesMax: 4 * 1_048_576, holderBytesMax: 262_144 }

type Fields = ReturnType<typeof newReport.parse>

function isForm({ request }: RequestContext): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')
}

/** The fields of a form; one that was left empty counts as missing. */
function fieldsOf(form: URLSearchParams): Fields {
  return parseBodyFields(newReport, Object.fromEntries([...form].filter(([, value]) => value !== '')), [])
}

/** The problem of a form, for the page that the reporter sees next; `null` if the share's own page explains it. */
function problemOf(error: DomainError): string | null {
  if (error.kind === 'not-found' || error.kind === 'gone') return null
  return error.kind === 'rate-limited' ? 'limited' : error.kind === 'invalid' ? 'invalid' : 'failed'
}

/** `POST /api/reports`, for programs and for the form of the report page. */
export function reportOperation(
  dependencies: Pick<
    FeatureDependencies,
    'limitReports' | 'publicBaseUrl' | 'reporterOf' | 'shareBaseUrl' | 'uploads' | 'upstreams'
  >,
): Operation {
  const { upstreams, shareBaseUrl, publicBaseUrl, limitReports, reporterOf } = dependencies
  const { reports: client } = upstreams
  const forms = createByteBudget(formBytes)
  const links = [`${shareBaseUrl}/s/`, `${publicBaseUrl}/s/`, `${publicBaseUrl}/api/shares/`]

  /** The id in a link of this installation, or the id itself. */
  const shareIn = (text: string): string => {
    const base = links.find((one) => text.startsWith(one)) ?? ''
    const id = text.slice(base.length).split(/[/?#]/)[0]
    if (isShareId(id)) return id
    const detail = 'share must be the id or the link of a share of this installation.'
    throw validationFailed([{ pointer: '/share', code: 'invalid_format', detail }])
  }

  const report = async (
    context: RequestContext,
    { share, reason, message, email }: Fields,
  ): Promise<void> => {
    const request = {
      ...{ shareId: shareIn(share), reason, message: message ?? '', email: email ?? '' },
      reporter: reporterOf(context.clientAddress),
    }
    await callUnary(client, client.createReport, request, shortCall(context))
  }

  /** Sends the reporter back to a page: browsers without scripts show nothing else. */
  const sendBack = ({ response }: RequestContext, path: string): void => {
    response.writeHead(303, { Location: `${shareBaseUrl}${path}`, 'Content-Length': 0 })
    response.end()
  }

  const takeForm = async (context: RequestContext): Promise<void> => {
    let id = ''
    try {
      const form = await readForm(context, forms)
      id = shareIn(form.get('share') ?? '')
      await limitReports(context)
      await report(context, fieldsOf(form))
      sendBack(context, `/s/${id}/report?sent=1`)
    } catch (error) {
      if (id === '' || !(error instanceof DomainError)) throw error
      const problem = problemOf(error)
      sendBack(context, problem === null ? `/s/${id}` : `/s/${id}/report?problem=${problem}`)
    }
  }

  return {
    method: 'post',
    path: '/api/reports',
    operationId: 'createReport',
    group: 'Shares',
    access: 'public',
    rate: 'reports',
    summary: 'Report a share to the operator of this installation',
    description:
      'Needs no account. Your address is not stored, only a keyed digest of it, by which a repeated report replaces your earlier one. A share that cannot be read is answered like `getShare`. A form is answered by a redirect to the report page.',
    body: { fields: newReport, withData: 'none' },
    form: newReport,
    responses: {
      201: { description: 'Received.', schema: reportReceived },
      303: { description: 'A form was received; `Location` is the page that says so.' },
    },
    refusals: [400, 404, 410, 413, 415, 503, 504],
    async handle(context) {
      if (isForm(context)) return takeForm(context)
      await limitReports(context)
      const { fields } = await receiveFields(dependencies, context, { fields: newReport, repeatable: false })
      await report(context, fields)
      sendJson(context.response, 201, { received: true }, { 'Cache-Control': 'no-store' })
    },
  }
}

/**
 * Digests of client IPs, by which repeated reports are recognized. Without the key, a digest cannot be tried against
 * all addresses.
 * @param configured the key; `null` for a random one.
 */
export function createReporterDigest(configured: string | null): (clientAddress: string) => Buffer {
  const key = configured ?? randomBytes(32)
  return (clientAddress) => createHmac('sha256', key).update(`report ${clientAddress}`).digest()
}

/**
 * What reports need.
 * @param digestKey of `createReporterDigest`.
 */
export function openReports(
  digestKey: string | null,
  limits: RateLimits,
): Pick<FeatureDependencies, 'limitReports' | 'reporterOf'> {
  return {
    limitReports: (context) =>
      limits.take(context, limits.ofReports(context.clientAddress)).finally(() => limits.report(context)),
    reporterOf: createReporterDigest(digestKey),
  }
}
