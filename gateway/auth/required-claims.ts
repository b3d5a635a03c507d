import { list, type Variable } from '#libs/config/variables.js'
import { DomainError } from '#libs/core/domain-error.js'
import { type Claims, claimText } from './token-claims.js'

/** A claim that an identity token must have, with one of these values. */
export interface RequiredClaim {
  readonly name: string
  readonly values: readonly string[]
}

/** One item of `OIDC_REQUIRE_CLAIM`. */
export interface ClaimPair {
  readonly name: string
  readonly value: string
}

function claimPair(item: string): ClaimPair {
  const split = item.indexOf('=')
  const name = item.slice(0, split)
  const value = item.slice(split + 1)
  if (split < 1 || value === '')
    throw new Error('a comma-separated list of claim=value, such as hd=example.com')
  return { name, value }
}

export function requiredClaimPairs(): Variable<readonly ClaimPair[]> {
  return list(
    'Claims that an identity token must have, as a comma-separated list of `claim=value`, such as `hd=example.com`. Several values of one claim are alternatives; several claims must all match. An array must contain the value. Unset, every token of a trusted issuer creates an account.',
    claimPair,
    [],
  )
}

/** Groups pairs by claim: several values of one claim are alternatives. */
export function requiredClaims(pairs: readonly ClaimPair[]): readonly RequiredClaim[] {
  const names = [...new Set(pairs.map(({ name }) => name))]
  return names.map((name) => ({
    name,
    values: pairs.filter((pair) => pair.name === name).map(({ value }) => value),
  }))
}

/** Whether a claim of the token has one of these values; an array must contain one. */
export function holds({ name, values }: RequiredClaim, claims: Claims): boolean {
  const claim = claims.get(name)
  const given: readonly unknown[] = Array.isArray(claim) ? claim : [claim]
  return given.some((item) => {
    const text = claimText(item)
    return text !== null && values.includes(text)
  })
}

/**
 * Checks that this installation admits the owner of a genuine token.
 * @throws DomainError 401 `invalid_token` that names the claim, but not the accepted values.
 */
export function checkRequiredClaims(required: readonly RequiredClaim[], claims: Claims): void {
  for (const claim of required) {
    if (holds(claim, claims)) continue
    throw new DomainError(
      'unauthenticated',
      'invalid_token',
      `Your account is not allowed here: the claim "${claim.name}" of your identity token is missing or has a different value. Sign in with another account or ask the operator for access.`,
      {},
      { cause: new Error('a required claim is missing') },
    )
  }
}

/** The name of a claim may itself be a URL, as namespaces of Auth0 are. */
const pairPattern = /^((?:https?:\/\/[^:=,]+)|[^:=,]+)[:=](.+)$/

function operatorClaim(item: string): ClaimPair {
  const [, name, value] = pairPattern.exec(item) ?? []
  if (name === undefined || value === undefined)
    throw new Error('a comma-separated list of claim:value, such as groups:snipkeep-operators')
  return { name, value }
}

/** The variables that say who operates this installation. */
export const operatorVariables = {
  OPERATOR_CLAIM: list(
    'Who operates this installation, as a comma-separated list of `claim:value`, such as `groups:snipkeep-operators`: people whose identity token carries one of them. An array must contain the value. It counts from every issuer of `OIDC_ISSUERS`, so each of them must be one that lets nobody choose the claim. Unset, only `OPERATOR_ACCOUNTS` do.',
    operatorClaim,
    [],
  ),
  OPERATOR_ACCOUNTS: list(
    'Comma-separated ids of accounts that operate this installation, as `GET /api/auth/profile` shows them.',
    accountId,
    [],
  ),
} as const satisfies Record<string, Variable<unknown>>

function accountId(item: string): string {
  if (!/^[0-9A-Za-z]{22}$/.test(item)) throw new Error('a comma-separated list of account ids')
  return item
}

/** Claims that make the holder of a token an operator; one of them is enough. */
export type OperatorClaims = readonly RequiredClaim[]

export function operatorClaims(pairs: readonly ClaimPair[]): OperatorClaims {
  return requiredClaims(pairs)
}

export function isOperator(wanted: OperatorClaims, claims: Claims): boolean {
  return wanted.some((claim) => holds(claim, claims))
}
