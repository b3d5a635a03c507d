import type { z } from 'zod'
import { DomainError } from '#libs/core/domain-error.js'

/** The errors of RFC 6749 §5.2 and RFC 8693 §2.2.2 that are sent. */
export type OAuthCode = 'invalid_request' | 'invalid_grant' | 'invalid_target' | 'unsupported_grant_type'

/** 400 in the form of RFC 6749: the same problem with `error` and `error_description` beside. */
export function oauthError(code: OAuthCode, message: string): DomainError {
  return new DomainError('invalid', code, message, { error: code, error_description: message })
}

/** What refused grants are told, all alike. */
export function refusedGrant(): DomainError {
  return oauthError(
    'invalid_grant',
    'The token was not accepted. The owner of the trusted publisher sees why in the dashboard, or with: snipkeep trust events.',
  )
}

/**
 * The parameters of a form, each at most once, and none that the schema does not name.
 * @throws DomainError `invalid_request`.
 */
export function parseForm<Schema extends z.ZodObject>(
  schema: Schema,
  form: URLSearchParams,
): z.infer<Schema> {
  const input: Record<string, string> = {}
  for (const name of new Set(form.keys())) {
    if (!Object.hasOwn(schema.shape, name))
      throw oauthError('invalid_request', 'The form has a parameter that is not known. Take it away.')
    const [value = '', ...more] = form.getAll(name)
    if (more.length > 0) throw oauthError('invalid_request', `${name} must appear only once.`)
    // RFC 6749 §3.1: a parameter without a value counts as left out.
    if (value !== '') input[name] = value
  }
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const name = String(issue?.path[0] ?? 'A parameter')
  throw oauthError('invalid_request', `${name} is required.`)
}
