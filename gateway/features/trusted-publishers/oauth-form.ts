import type { z } from 'zod'
import { DomainError } from '#libs/core/domain-error.js'

/** The used errors of RFC 6749 §5.2 and RFC 8693 §2.2.2. */
export type OAuthCode =
  | 'invalid_request'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'

/** 400: a problem with the additional fields of RFC 6749, `error` and `error_description`. */
export function oauthError(code: OAuthCode, message: string): DomainError {
  return new DomainError('invalid', code, message, { error: code, error_description: message })
}

/** The same for every rejected grant. */
export function refusedGrant(): DomainError {
  return oauthError(
    'invalid_grant',
    'The token was not accepted. The owner of the trusted publisher sees why in the dashboard, or with: snipkeep trust events.',
  )
}

/**
 * The parameters of the schema; others are ignored, as RFC 6749 §3.2 demands.
 * @throws DomainError `invalid_request` for a missing or repeated parameter.
 */
export function parseForm<Schema extends z.ZodObject>(
  schema: Schema,
  form: URLSearchParams,
): z.infer<Schema> {
  const input: Record<string, string> = {}
  for (const name of Object.keys(schema.shape)) {
    const [value = '', ...more] = form.getAll(name)
    if (more.length > 0) throw oauthError('invalid_request', `${name} must appear only once.`)
    // A parameter without a value counts as omitted (RFC 6749 §3.1).
    if (value !== '') input[name] = value
  }
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const name = String(issue?.path[0] ?? 'A parameter')
  throw oauthError('invalid_request', `${name} is required.`)
}
