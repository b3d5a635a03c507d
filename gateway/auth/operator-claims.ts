import { list, type Variable } from '#libs/config/variables.js'
import { type ClaimPair, holds, type RequiredClaim, requiredClaims } from './required-claims.js'
import type { Claims } from './token-claims.js'

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
