import { DomainError } from '#libs/core/domain-error.js'
import { createByteBudget } from '#libs/runtime/byte-budget.js'
import { accessGrantMs, isAccessGrant, revealErrorHeader } from '#shared/core/access-grant.js'
import { readForm } from '../../body/receive-bytes.js'
import { closeAfterRefusal } from '../../http/connections.js'
import { isForeignForm } from '../../http/form-origin.js'
import { type AdmitDependencies, admitToPage, countForgery } from '../../pipeline/admit.js'
import type { RateLimits } from '../../rate-limits/rate-limits.js'
import type { RequestContext } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { gatedShares } from '../shares/gated-shares.js'
import { accessGrantCookie } from '../shares/share-gate.js'
import { createToolForm } from '../tools/tool-form.js'

/** What handles the forms of pages. */
export interface PageForms {
  /** Serves the form of a tool's page; `null` if tools are off. */
  readonly toolForm: ((context: RequestContext, name: string) => Promise<void>) | null
  /** Responds to the form of a gated share; `false` if its page must say what is wrong. */
  readonly revealForm: (context: RequestContext, id: string) => Promise<boolean>
}

export function createPageForms(
  dependencies: Pick<
    FeatureDependencies,
    'callerIfAny' | 'publicBaseUrl' | 'runJob' | 'shareBaseUrl' | 'tools' | 'upstreams'
  >,
  limits: RateLimits,
  admit: AdmitDependencies,
): PageForms {
  return {
    toolForm: dependencies.tools ? createToolForm(limits, dependencies) : null,
    revealForm: createRevealForm(dependencies, admit),
  }
}

/** The memory for forms, in total and for one client IP. */
const formBytes = { bytesMax: 8 * 1_048_576, holderBytesMax: 1_048_576 }

/** The errors that the page must be told; it finds out by itself why a share cannot be revealed at all. */
const toldErrors: readonly string[] = ['share_password_invalid', 'rate_limited', 'unavailable', 'timeout']

/** One cookie for the page and one for its reads, out of reach of scripts and of other shares. */
function grantCookies(id: string, grant: string, isSecure: boolean): readonly string[] {
  const attributes = `Max-Age=${accessGrantMs / 1_000}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return [`/s/${id}`, `/api/shares/${id}`].map(
    (path) => `${accessGrantCookie}=${grant}; Path=${path}; ${attributes}`,
  )
}

/**
 * The handler of the form on the page of a gated share, `POST /s/{id}`. It counts a view, keeps its grant in a cookie,
 * and sends the browser back to the page, so that a reload sends no form again. The form of one rendering, sent again by a
 * double click or after Back, counts nothing more. Without a grant it returns `false`, and the page says why. A form of
 * another site changes nothing.
 */
function createRevealForm(
  parts: Pick<FeatureDependencies, 'upstreams' | 'callerIfAny' | 'shareBaseUrl'>,
  admit: AdmitDependencies,
): (context: RequestContext, id: string) => Promise<boolean> {
  const gated = gatedShares(parts)
  const forms = createByteBudget(formBytes)
  const origins = [new URL(parts.shareBaseUrl).origin]
  const isSecure = parts.shareBaseUrl.startsWith('https:')

  const reveal = async (context: RequestContext, id: string): Promise<readonly string[]> => {
    const form = await readForm(context, forms)
    const attempt = form.get('attempt') ?? ''
    const { grant } = await gated.reveal(context, id, {
      password: form.get('password') ?? '',
      attempt: isAccessGrant(attempt) ? attempt : '',
    })
    return grantCookies(id, grant, isSecure)
  }

  /** The code for the page. Throws what is not about the share. */
  const codeOf = async (context: RequestContext, error: unknown): Promise<string> => {
    const known = await countForgery(admit.limits, context, error).then(
      () => error,
      (limited: unknown) => limited,
    )
    if (!(known instanceof DomainError)) throw known
    if (known.kind === 'gone' || known.kind === 'not-found') return ''
    if (!toldErrors.includes(known.code)) throw known
    return known.code
  }

  return async (context, id) => {
    const { request, response } = context
    await admitToPage(admit, context).finally(() => admit.limits.report(context))
    try {
      const cookies = isForeignForm(request, origins) ? [] : await reveal(context, id)
      if (cookies.length > 0) response.setHeader('Set-Cookie', [...cookies])
      closeAfterRefusal(request, response)
      response.writeHead(303, { Location: `/s/${id}`, 'Cache-Control': 'no-store', 'Content-Length': 0 })
      response.end()
      return true
    } catch (error) {
      request.headers[revealErrorHeader] = await codeOf(context, error)
      return false
    }
  }
}
