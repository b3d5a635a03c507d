import { DomainError } from '#libs/core/domain-error.js'
import { readableSize } from '#libs/core/readable-text.js'
import type { Contract } from '#proto/snipkeep/content/v1/contract_service.js'
import { principalResponse } from '../revisions/revision-response.js'

/** Of the rules of a contract. */
export const rulesBytesMax = 262_144

/** 413 `contract_too_large`. */
export function rulesTooLarge(): DomainError {
  const message = `The rules of a contract may have ${readableSize(rulesBytesMax)}. Keep a large schema in a snippet: {"schema": {"snippet": "@name"}}.`
  return new DomainError('too-large', 'contract_too_large', message, { limit: rulesBytesMax })
}

/** A contract as JSON: the rules as they were sent. */
export function contractText({
  snippetId,
  rules,
  version,
  createdAt,
  updatedAt,
  principal,
}: Contract): string {
  if (createdAt === undefined || updatedAt === undefined)
    throw new Error('content returned a contract without times')
  const rest = {
    ...{ version, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() },
    principal: principalResponse(principal),
  }
  return `{"snippet_id":${JSON.stringify(snippetId)},"rules":${rules},${JSON.stringify(rest).slice(1)}`
}
