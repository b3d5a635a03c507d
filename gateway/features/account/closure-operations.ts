import { z } from 'zod'
import { DomainError, validationFailed } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import type {
  CloseAccountResponse,
  RestoreAccountResponse,
} from '#proto/snipkeep/identity/v1/account_service.js'
import { receiveFields } from '../../body/receive-body.js'
import type { Operation } from '../../http/operation.js'
import { sendJson } from '../../http/responses.js'
import { type Caller, type RequestContext, shortCall } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { timestamp } from '../schemas.js'
import { showShares } from './show-shares.js'

/** How long after signing in an account can be closed, in seconds. */
const signInSecondsMax = 600

const confirmation = z.strictObject({
  confirm: z
    .string()
    .max(320, 'must be at most 320 characters')
    .meta({ description: 'The e-mail address of your account, or its id.', example: 'ada@example.com' }),
})

const erasedAfter = timestamp.describe('Until then you can restore the account.')
const closedAccount = z.object({ id: z.string(), erased_after: erasedAfter }).meta({ id: 'ClosedAccount' })

const restoredAccount = z.object({ id: z.string() }).meta({ id: 'RestoredAccount' })

type AccountChange = CloseAccountResponse | RestoreAccountResponse

/** 401: anyone with an old token could close the account. */
function loginTooOld(): DomainError {
  const message =
    'Sign in again: closing an account needs an identity token whose `auth_time` is at most ten minutes ago. Ask the issuer for one with `max_age=600` or `prompt=login`.'
  return new DomainError('unauthenticated', 'login_too_old', message)
}

function checkSignIn({ authenticatedAt }: Caller): void {
  const seconds = authenticatedAt === undefined ? Infinity : (Date.now() - authenticatedAt.getTime()) / 1_000
  if (seconds > signInSecondsMax) throw loginTooOld()
}

/** @throws DomainError 400 unless the text names the caller's own account. */
function checkConfirmation(confirm: string, { accountId, email }: Caller): void {
  const given = confirm.trim()
  if (given === accountId || (email !== null && given.toLowerCase() === email.toLowerCase())) return
  const detail = 'confirm must be the e-mail address or the id of your account.'
  throw validationFailed([{ pointer: '/confirm', code: 'mismatch', detail }])
}

/** Closing an account, and changing one's mind. */
export function closureOperations(
  dependencies: Pick<FeatureDependencies, 'forgetCaller' | 'forgetShare' | 'uploads' | 'upstreams'>,
): readonly Operation[] {
  const { upstreams, forgetCaller } = dependencies
  const { accounts } = upstreams
  const common = { group: 'Account', access: 'identity-token', whileClosing: true } as const

  /** Lets this and other processes know of an account that is now closed or open again. */
  const changed = async (context: RequestContext, { account, version, changed }: AccountChange) => {
    if (account === undefined) throw new Error('identity returned no account')
    forgetCaller(account.id)
    if (changed) await showShares(dependencies, context, account, version)
    return account
  }

  return [
    {
      ...common,
      method: 'delete',
      path: '/api/account',
      operationId: 'closeAccount',
      summary: 'Close your account, which is erased after some days',
      description:
        'Needs a sign-in of the last ten minutes (401 `login_too_old`). At once, all credentials of the account get 403 `account_closing` with `erased_after`, its shares are 404, and its subscription ends. Until `erased_after` you can restore it; then everything is deleted for good, and a later sign-in makes a new account. Safe to repeat.',
      body: { fields: confirmation, withData: 'none' },
      responses: { 202: { description: 'The account is closed.', schema: closedAccount } },
      refusals: [400, 413, 415],
      async handle(context, caller) {
        checkSignIn(caller)
        const body = { fields: confirmation, repeatable: false }
        const { fields } = await receiveFields(dependencies, context, body)
        checkConfirmation(fields.confirm, caller)
        const request = { accountId: caller.accountId }
        const response = await callUnary(accounts, accounts.closeAccount, request, shortCall(context))
        const { id, erasedAfter } = await changed(context, response)
        if (erasedAfter === undefined) throw new Error('identity returned no closed account')
        sendJson(context.response, 202, { id, erased_after: erasedAfter.toISOString() })
      },
    },
    {
      ...common,
      method: 'post',
      path: '/api/account/restore',
      operationId: 'restoreAccount',
      summary: 'Restore your closed account',
      description:
        'Everything is as before, except for a subscription: it has ended. 409 `account_erased` once the time is over. Safe to repeat.',
      responses: { 200: { description: 'The account is open.', schema: restoredAccount } },
      refusals: [409],
      async handle(context, caller) {
        const request = { accountId: caller.accountId }
        const response = await callUnary(accounts, accounts.restoreAccount, request, shortCall(context))
        const { id } = await changed(context, response)
        sendJson(context.response, 200, { id })
      },
    },
  ]
}
