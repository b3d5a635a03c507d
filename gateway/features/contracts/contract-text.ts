import type { Contract } from '#proto/snipkeep/content/v1/contract_service.js'
import { principalResponse } from '../revisions/revision-response.js'

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
