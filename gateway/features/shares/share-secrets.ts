import { secretName } from '#engine/secrets/rules.js'
import { DomainError } from '#libs/core/domain-error.js'
import type { SecretPolicy } from '../../body/secret-policy.js'
import type { SecretWarning } from './secret-warnings.js'

/** Whether to publish secrets; `undefined` if the request does not say. */
export type AllowSecrets = boolean | undefined

/** 400 `secret_found`, with what was found but nothing of its secret part. */
function secretFound(warnings: readonly SecretWarning[]): DomainError {
  const errors = warnings.map(({ rule, certain, pointer, masked }) => ({
    pointer: `/data${pointer}`,
    code: 'secret_found',
    detail: `This looks like ${secretName(rule)}: ${masked}`,
    rule,
    certain,
    masked,
  }))
  const [first] = warnings.filter(({ certain }) => certain)
  const what = first === undefined ? 'a secret' : `${secretName(first.rule)} (${first.masked})`
  const message = `data seems to contain ${what}, and anyone could open this share. Remove it, or send allow_secrets if it may be public.`
  return new DomainError('invalid', 'secret_found', message, { errors })
}

/**
 * Decides about a share in which secrets were found. Only what is certain is refused.
 * @throws DomainError `secret_found`.
 */
export function enforceSecretPolicy(
  policy: SecretPolicy,
  allowed: AllowSecrets,
  warnings: readonly SecretWarning[],
): void {
  const refuses = allowed === false || (policy === 'refuse' && allowed !== true)
  if (refuses && warnings.some(({ certain }) => certain)) throw secretFound(warnings)
}
