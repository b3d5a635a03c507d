import type { z } from 'zod'
import type { Decision } from '#proto/snipkeep/operator/v1/operator.js'
import { receiveFields } from '../../body/receive-body.js'
import type { Caller, RequestContext } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'

const group = 'Operator'

/** What all reads of operators have in common. */
export const read = { group, method: 'get' } as const

/** The same of what they decide. */
export const decided = { group, access: 'operator', method: 'post', refusals: [400, 404, 413, 415] } as const

/** Who the operator is in the record; an e-mail address that is not verified is marked, because anyone could claim it. */
function nameOf({ email, emailVerified, name }: Caller): string {
  if (email === null) return name ?? ''
  return emailVerified ? email : `${email} (unverified)`
}

/** The fields of a body, and the decision in it. */
export async function receiveDecision<Schema extends z.ZodObject>(
  parts: Pick<FeatureDependencies, 'uploads' | 'operatorInEvents'>,
  context: RequestContext,
  caller: Caller,
  fields: Schema,
): Promise<{ readonly fields: z.infer<Schema>; readonly decision: Decision }> {
  const received = await receiveFields(parts, context, { fields, repeatable: false })
  const { reason, message = '' } = received.fields as { readonly reason: string; readonly message?: string }
  const operatorName = nameOf(caller)
  const shownAs = parts.operatorInEvents ? operatorName : ''
  const decision = { operatorId: caller.accountId, operatorName, reason, message, shownAs }
  return { fields: received.fields, decision }
}
