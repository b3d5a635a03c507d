import type { IncomingMessage } from 'node:http'
import { cookieOf } from '#libs/core/cookie.js'
import { DomainError, validationFailed } from '#libs/core/domain-error.js'
import { accessGrantHeader, isAccessGrant, sharePasswordHeader } from '#shared/core/access-grant.js'
import type { RequestContext } from '../../request/request-context.js'
import { sharePassword } from './share-schemas.js'

/** The name of the cookie that keeps the grant of a share's page. */
export const accessGrantCookie = 'snipkeep_grant'

/** The grant of a request, from its header or else from its cookie; empty if there is none of the right form. */
export function accessGrantOf(request: IncomingMessage): string {
  const [given, ...more] = request.headersDistinct[accessGrantHeader] ?? [
    cookieOf(request.headers.cookie, accessGrantCookie),
  ]
  return given !== undefined && more.length === 0 && isAccessGrant(given) ? given : ''
}

/** 403: only someone with a grant, or the owner, may read this. */
export function revealRequired(): DomainError {
  const message =
    'This share has a gate. Open it with POST /api/shares/{id}/reveal, and send the grant as Snipkeep-Grant.'
  return new DomainError('forbidden', 'reveal_required', message)
}

function headerProblem(code: string, what: string): DomainError {
  const pointer = 'Snipkeep-Share-Password'
  return validationFailed([{ pointer, code, detail: `${pointer} ${what}.` }])
}

/**
 * The password for a new share in the header, which is UTF-8; `undefined` if there is none.
 * One in the URL, which logs and proxies keep, is an unknown parameter.
 * @throws DomainError `validation_failed` for an invalid one.
 */
export function sharePasswordOf({ request }: Pick<RequestContext, 'request'>): string | undefined {
  const [given, ...more] = request.headersDistinct[sharePasswordHeader] ?? []
  if (given === undefined) return undefined
  if (more.length > 0) throw headerProblem('repeated', 'must appear only once')
  // Node reads headers as Latin-1.
  const password = Buffer.from(given, 'latin1').toString('utf8')
  if (password.includes('\ufffd')) throw headerProblem('invalid_characters', 'must be UTF-8')
  const checked = sharePassword.safeParse(password)
  if (!checked.success)
    throw headerProblem('invalid', checked.error.issues[0]?.message ?? 'is not a password')
  return password
}

interface GateFields {
  readonly password?: string | undefined
  readonly max_views?: number | undefined
  readonly burn?: boolean | undefined
}

/** The gate of a new share. */
export interface WantedGate {
  /** Empty for none. */
  readonly password: string
  readonly viewsMax: number | undefined
}

/**
 * The gate that a request wants; `null` for none.
 * @throws DomainError `validation_failed` if its parts contradict each other.
 */
export function wantedGate(fields: GateFields, fromHeader: string | undefined): WantedGate | null {
  const { password, max_views: maxViews, burn = false } = fields
  if (password !== undefined && fromHeader !== undefined)
    throw headerProblem('ambiguous', 'cannot be combined with a password in the body')
  if (burn && maxViews !== undefined && maxViews !== 1) {
    const detail = 'max_views must be 1, or absent, if burn is true.'
    throw validationFailed([{ pointer: '/max_views', code: 'ambiguous', detail }])
  }
  const gate = { password: password ?? fromHeader ?? '', viewsMax: burn ? 1 : maxViews }
  return gate.password === '' && gate.viewsMax === undefined ? null : gate
}
