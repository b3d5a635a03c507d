import { z } from 'zod'
import { DomainError } from '#libs/core/domain-error.js'
import { embedFrame, usualFrame } from '#shared/core/embed-frame.js'
import { isGatedShareId, isShareId } from '#shared/core/share-id.js'
import { parseQuery } from '../../body/parse-fields.js'
import type { Operation } from '../../http/operation.js'
import { sendJson } from '../../http/responses.js'
import { notFound } from '../../request/problem.js'
import { type RequestContext, shortCall } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { gatedShares } from './gated-shares.js'
import { revealRequired } from './share-gate.js'
import { shareCaching } from './share-response.js'

function pixels(usual: number) {
  return z
    .string()
    .regex(/^[1-9][0-9]{0,4}$/, 'must be a whole number of pixels, 1 to 99999')
    .transform((digits) => Math.min(Number(digits), usual))
    .default(usual)
    .meta({ type: 'integer', minimum: 1, pattern: undefined })
}

const query = z.object({
  url: z.string().max(2_000, 'must be at most 2000 characters').describe('The address of a share page.'),
  maxwidth: pixels(usualFrame.width),
  maxheight: pixels(usualFrame.height),
  format: z.string().default('json').describe('Only `json`.'),
})

const description = z.object({
  version: z.literal('1.0'),
  type: z.literal('rich'),
  title: z.string(),
  provider_name: z.literal('Snipkeep'),
  provider_url: z.url(),
  cache_age: z.int().describe('Seconds.'),
  width: z.int(),
  height: z.int(),
  html: z.string().describe('An `iframe` of `/s/{id}/embed`.'),
})

/** The id of the share page at this URL; `null` for any other URL. */
function idOf(url: string, bases: readonly string[]): string | null {
  const page = url.replace(/[?#].*$/s, '')
  const base = bases.find((one) => page.startsWith(`${one}/s/`))
  if (base === undefined) return null
  const id = page.slice(base.length + '/s/'.length).replace(/\/embed$/, '')
  return isShareId(id) ? id : null
}

/** What `oEmbedOperation` needs. */
export type OEmbedDependencies = Pick<
  FeatureDependencies,
  'callerIfAny' | 'loadShare' | 'publicBaseUrl' | 'shareBaseUrl' | 'shares' | 'upstreams'
>

/** oEmbed 1.0 (oembed.com) for share pages. */
export function oEmbedOperation(dependencies: OEmbedDependencies): Operation {
  const { publicBaseUrl, shareBaseUrl, loadShare, shares } = dependencies
  const gated = gatedShares(dependencies)
  const handle = async (context: RequestContext): Promise<void> => {
    const { url, maxwidth, maxheight, format } = parseQuery(query, context.search)
    if (format !== 'json') {
      const message = 'Only format=json is supported.'
      throw new DomainError('invalid', 'not_implemented', message)
    }
    const id = idOf(url, [shareBaseUrl, publicBaseUrl])
    if (id === null) throw notFound('A share with this address')
    if (isGatedShareId(id)) {
      await gated.find(context, id, '', false)
      throw revealRequired()
    }
    const found = await shares.resolveHead(id, () =>
      loadShare({ id, includeData: false }, shortCall(context)),
    )
    const { title } = found.share
    const timeLeftMs = shares.timeLeftMs(found)
    const [width, height] = [maxwidth, maxheight]
    const body: z.infer<typeof description> = {
      version: '1.0',
      type: 'rich',
      title,
      provider_name: 'Snipkeep',
      provider_url: publicBaseUrl,
      cache_age: Math.min(3_600, Math.floor((timeLeftMs ?? 3_600_000) / 1_000)),
      width,
      height,
      html: embedFrame(`${shareBaseUrl}/s/${id}`, title, { width, height }),
    }
    sendJson(context.response, 200, body, { 'Cache-Control': shareCaching(timeLeftMs) })
  }

  return {
    method: 'get',
    path: '/oembed',
    operationId: 'getOEmbed',
    group: 'Shares',
    access: 'public',
    anyOrigin: true,
    summary: 'Get the oEmbed description of a share page',
    description: 'For sites that turn links into previews. Share pages name it in their `<head>`.',
    query,
    anyParameter: true,
    responses: { 200: { description: 'How to embed the share.', schema: description } },
    refusals: [400, 403, 404, 410, 501, 503, 504],
    handle,
  }
}
