import { randomUUID } from 'node:crypto'
import { isDown } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import { clientOptions } from '#libs/grpc/client-options.js'
import type { Transport } from '#libs/grpc/transport.js'
import type { Logger } from '#libs/log/logger.js'
import { queueWorker } from '#libs/runtime/queue-worker.js'
import {
  AccountState,
  type AccountStep,
  ErasureServiceClient,
} from '#proto/snipkeep/identity/v1/erasure_service.js'

/** How often a service asks for steps, in milliseconds. */
const intervalMs = 1_000
const timeoutMs = 3_000

/** All are safe to repeat. */
const retryable = {
  'snipkeep.identity.v1.ErasureService': ['ClaimSteps', 'FinishStep', 'PostponeStep'],
}

/** What a service does for accounts. Each may run again after a crash or a lost response, and then has no other effect. */
export interface AccountSteps {
  /** The account was closed, restored, suspended or resumed: its shares are hidden or shown from now on. */
  setHidden?(accountId: string, hidden: boolean, version: number): Promise<void>
  /** Its owner closed it. */
  close?(accountId: string): Promise<void>
  /**
   * Deletes a part of what is stored for the account, for some seconds at most; false if that was not all.
   * @throws DomainError `unavailable`.
   */
  erase(accountId: string): Promise<boolean>
}

async function runStep(steps: AccountSteps, { accountId, state, hidden, hiddenVersion }: AccountStep) {
  switch (state) {
    case AccountState.ACCOUNT_STATE_ERASED:
      return steps.erase(accountId)
    case AccountState.ACCOUNT_STATE_CLOSED:
      await steps.setHidden?.(accountId, hidden, hiddenVersion)
      await steps.close?.(accountId)
      return true
    default:
      await steps.setHidden?.(accountId, hidden, hiddenVersion)
      return true
  }
}

/** Asks identity what to do for accounts, does it, and reports back. Failed steps come again. */
export function startAccountSteps(
  service: string,
  { target, transport }: { readonly target: string; readonly transport: Transport },
  steps: AccountSteps,
  log: Logger,
): { stop(): Promise<void> } {
  const credentials = transport.channelCredentials('identity')
  const client = new ErasureServiceClient(target, credentials, clientOptions(retryable))
  const context = () => ({ requestId: randomUUID(), timeoutMs })
  const worker = queueWorker('account_steps', intervalMs, log, {
    async claim() {
      try {
        return (await callUnary(client, client.claimSteps, { service }, context())).steps
      } catch (error) {
        // That identity is down is reported elsewhere, not once a second by everyone who asks.
        if (isDown(error)) return []
        throw error
      }
    },
    async work(step) {
      const fields = { account_id: step.accountId, state: step.state }
      try {
        if (await runStep(steps, step)) await callUnary(client, client.finishStep, { step }, context())
        else await callUnary(client, client.postponeStep, { step, failed: false }, context())
      } catch (error) {
        await callUnary(client, client.postponeStep, { step, failed: true }, context()).catch(() => {})
        if (!isDown(error)) throw error
        log.warn(
          { event: 'account_step_postponed', ...fields, err: error },
          'account step failed; will retry',
        )
      }
    },
  })
  return {
    async stop() {
      await worker.stop()
      client.close()
    },
  }
}
