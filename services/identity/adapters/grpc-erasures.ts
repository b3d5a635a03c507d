import { invalidField } from '#libs/core/domain-error.js'
import type { CallersOf } from '#libs/grpc/allowed-callers.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import {
  type AccountStep as AccountStepMessage,
  type ErasureServiceServer,
  ErasureServiceService,
  AccountState as StateMessage,
} from '#proto/snipkeep/identity/v1/erasure_service.js'
import { accountId } from '../domain/account.js'
import {
  type AccountState,
  type AccountStep,
  type DataService,
  dataServices,
} from '../domain/account-step.js'
import type { IdentityPorts } from '../ports.js'

/** Longer than a service works on a step without asking for more time. */
const leaseMs = 60_000
const claimedMax = 10

const stateMessages = {
  closed: StateMessage.ACCOUNT_STATE_CLOSED,
  open: StateMessage.ACCOUNT_STATE_OPEN,
  erased: StateMessage.ACCOUNT_STATE_ERASED,
} as const

function serviceOf(text: string): DataService {
  const service = dataServices.find((one) => one === text)
  if (service !== undefined) return service
  throw invalidField('/service', 'invalid_value', `service must be ${dataServices.join(', ')}.`)
}

function stepMessage({ state, ...step }: AccountStep): AccountStepMessage {
  return { ...step, state: stateMessages[state] }
}

function stepOf(message: AccountStepMessage | undefined): AccountStep {
  const states = Object.keys(stateMessages) as AccountState[]
  const state = states.find((one) => stateMessages[one] === message?.state)
  if (message === undefined || state === undefined)
    throw invalidField('/step', 'required', 'step must have a state.')
  return { ...message, accountId: accountId(message.accountId), service: serviceOf(message.service), state }
}

const callers: CallersOf<typeof ErasureServiceService> = {
  each: ['content', 'activity', 'billing'],
  countRestored: ['gateway'],
}

/** `ErasureService` over gRPC. */
export function grpcErasures(
  { unary }: Pick<Handlers, 'unary'>,
  { erasures }: Pick<IdentityPorts, 'erasures'>,
): BoundService {
  const handlers: ErasureServiceServer = {
    claimSteps: unary(async ({ service }) => {
      const steps = await erasures.claim(serviceOf(service), claimedMax, leaseMs)
      return { steps: steps.map(stepMessage) }
    }),
    finishStep: unary(async ({ step }) => {
      await erasures.finish(stepOf(step))
      return {}
    }),
    postponeStep: unary(async ({ step, failed }) => {
      await erasures.postpone(stepOf(step), failed)
      return {}
    }),
    countRestored: unary(async () => ({ accounts: await erasures.countRestored() })),
  }
  return { definition: ErasureServiceService, handlers, callers }
}
