import type { KeyScope } from '../../api/keys.js'
import type { Claims, NewTrustedPublisher } from '../../api/trusted-publishers.js'

/** What is entered for a new rule. */
export interface RuleFields {
  readonly issuer: string
  readonly repository: string
  /** Empty for any. */
  readonly branch: string
  /** Empty for any. */
  readonly environment: string
  /** For issuers that are neither GitHub nor GitLab: `name=value`, one a line. */
  readonly lines: string
  readonly scopes: readonly KeyScope[]
}

/** Whether repositories of this issuer are known by name. */
export function hasRepositories(issuer: string): boolean {
  return issuer === 'github' || issuer === 'gitlab'
}

/** Claims in lines of `name=value`; `null` where one is not of that form, or none is there. */
export function claimsInLines(lines: string): Claims | null {
  const entries = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => /^([^=\s]+)=(.+)$/.exec(line)?.slice(1) ?? null)
  if (entries.length === 0 || entries.includes(null)) return null
  return Object.fromEntries(entries.filter((entry) => entry !== null) as [string, string][])
}

/** The claims that these fields ask for; `null` where they are wrong. */
export function claimsOf({ issuer, branch, environment, lines }: RuleFields): Claims | null {
  if (!hasRepositories(issuer)) return claimsInLines(lines)
  const ref = branch.trim()
  const where = environment.trim()
  return {
    ...(ref === '' ? {} : issuer === 'github' ? { ref: `refs/heads/${ref}` } : { ref, ref_type: 'branch' }),
    ...(where === '' ? {} : { environment: where }),
  }
}

/** Whether this is the full name of a repository. */
export function isRepository(text: string): boolean {
  return /^[^/\s]+(\/[^/\s]+)+$/.test(text.trim())
}

/** The rule that these fields describe; `null` where something is wrong. */
export function ruleOf(fields: RuleFields): NewTrustedPublisher | null {
  const claims = claimsOf(fields)
  const { issuer, scopes } = fields
  if (claims === null || scopes.length === 0) return null
  if (!hasRepositories(issuer)) return { name: issuer, issuer, claims, scopes }
  const repository = fields.repository.trim()
  return isRepository(repository) ? { name: repository, issuer, repository, claims, scopes } : null
}
