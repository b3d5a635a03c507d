import type { CreateTrustedPublisherData, Fields } from '#sdk/exports.js'
import type { jobScopes } from '../../kit/scope-group.js'

/** What a token must say, exactly. */
export type Claims = Readonly<Record<string, string>>

/** The fields of the form. */
export interface RuleFields {
  readonly issuer: string
  readonly repository: string
  /** Empty for any. */
  readonly branch: string
  /** Empty for any. */
  readonly environment: string
  /** For issuers other than GitHub and GitLab: one `name=value` per line. */
  readonly lines: string
  readonly scopes: readonly (typeof jobScopes)[number][]
}

/** Whether this issuer names repositories (GitHub and GitLab). */
export function hasRepositories(issuer: string): boolean {
  return issuer === 'github' || issuer === 'gitlab'
}

/** Parses lines of `name=value`; `null` if one has another form or there are none. */
export function claimsInLines(lines: string): Claims | null {
  const entries = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => /^([^=\s]+)=(.+)$/.exec(line)?.slice(1) ?? null)
  if (entries.length === 0 || entries.includes(null)) return null
  return Object.fromEntries(entries.filter((entry) => entry !== null) as [string, string][])
}

/** The claims these fields stand for; `null` if they are invalid. */
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

/** The rule these fields describe; `null` if they are invalid. */
export function ruleOf(fields: RuleFields): Fields<CreateTrustedPublisherData['body']> | null {
  const claims = claimsOf(fields)
  const { issuer, scopes } = fields
  if (claims === null || scopes.length === 0) return null
  if (!hasRepositories(issuer)) return { name: issuer, issuer, claims, scopes }
  const repository = fields.repository.trim()
  return isRepository(repository) ? { name: repository, issuer, repository, claims, scopes } : null
}

const known: Readonly<Record<string, string>> = { github: 'GitHub', gitlab: 'GitLab' }

/** The display name of an issuer. */
export function issuerName(issuer: string): string {
  return Object.hasOwn(known, issuer) ? (known[issuer] ?? issuer) : issuer
}
