import { list, type Variable } from '#libs/config/variables.js'

/** An issuer of tokens for CI jobs, and the form that its claims have. */
export interface CiIssuer {
  /** What rules call it. */
  readonly name: string
  readonly issuer: string
  readonly provider: 'github' | 'gitlab' | 'other'
}

/** The issuers that a name is enough for. */
const known: readonly CiIssuer[] = [
  { name: 'github', issuer: 'https://token.actions.githubusercontent.com', provider: 'github' },
  { name: 'gitlab', issuer: 'https://gitlab.com', provider: 'gitlab' },
]

const form =
  'a comma-separated list of github, gitlab, or name=issuer, such as corp=gitlab+https://gitlab.example.com'

/** Reads an item such as `github` or `corp=gitlab+https://gitlab.example.com`. */
export function ciIssuer(item: string): CiIssuer {
  const preset = known.find(({ name }) => name === item)
  if (preset !== undefined) return preset
  const [, name, provider = 'other', issuer = ''] =
    /^([a-z0-9][a-z0-9._-]{0,39})=(?:(github|gitlab)\+)?(https?:\/\/\S+)$/.exec(item) ?? []
  if (name === undefined || !URL.canParse(issuer)) throw new Error(form)
  return { name, issuer, provider: provider as CiIssuer['provider'] }
}

/** The variable that says whose tokens of CI jobs may be exchanged. */
export function ciIssuers(): Variable<readonly CiIssuer[]> {
  const variable = list(
    'The issuers whose CI jobs trusted publishers may name. `github` and `gitlab` are github.com and gitlab.com; others are `name=issuer`, or `name=github+issuer` and `name=gitlab+issuer` where they have the claims of those. The gateway fetches their keys when the first token comes. `PLAN_PRO_TRUSTED_PUBLISHERS=0` turns it off.',
    ciIssuer,
    known,
  )
  return { ...variable, fallbackText: known.map(({ name }) => name).join(',') }
}

/** What is wrong with a list of issuers as a whole. */
export function ciIssuerProblems(issuers: readonly CiIssuer[]): readonly string[] {
  const names = new Set(issuers.map(({ name }) => name))
  const urls = new Set(issuers.map(({ issuer }) => issuer))
  if (names.size === issuers.length && urls.size === issuers.length) return []
  return ['CI_ISSUERS must not name an issuer twice.']
}
