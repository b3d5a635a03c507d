import { readVariables } from '#libs/config/read-variables.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import { plainTransport } from '#libs/grpc/transport.js'
import { createLogger } from '#libs/log/logger.js'
import { startPlainServer } from '#libs/testing/plain-grpc-server.js'
import { AccountServiceClient } from '#proto/snipkeep/identity/v1/account_service.js'
import { ApiKeyServiceClient } from '#proto/snipkeep/identity/v1/api_key_service.js'
import { TrustedPublisherServiceClient } from '#proto/snipkeep/identity/v1/trusted_publisher_service.js'
import { planCatalogue, planVariables } from '#shared/config/plan-variables.js'
import { grpcAccounts } from '../adapters/grpc-accounts.js'
import { grpcApiKeys } from '../adapters/grpc-api-keys.js'
import { grpcTrustedPublishers } from '../adapters/grpc-trusted-publishers.js'
import { type MemoryIdentity, memoryIdentity } from './memory-identity.js'

/** Identity in memory behind a real gRPC server. */
export interface IdentityServer {
  readonly identity: MemoryIdentity
  readonly accounts: AccountServiceClient
  readonly apiKeys: ApiKeyServiceClient
  readonly publishers: TrustedPublisherServiceClient
  stop(): Promise<void>
}

/** The default catalogue. */
const defaultPlans = planCatalogue(readVariables(planVariables, {}))

/** Starts it on a free port; its clock starts at `startMs`. */
export async function startIdentityServer(
  startMs: number,
  idleDays: number | null = null,
): Promise<IdentityServer> {
  const identity = memoryIdentity(startMs)
  const handlers = grpcHandlers(createLogger('test', 'silent'))
  const server = await startPlainServer([
    grpcAccounts(handlers, identity.ports, 7),
    grpcApiKeys(handlers, identity.ports, defaultPlans, idleDays),
    grpcTrustedPublishers(handlers, identity.ports, { plans: defaultPlans, idleDays }),
  ])
  const target = `127.0.0.1:${server.port}`
  const accounts = new AccountServiceClient(target, plainTransport.channelCredentials('identity'))
  const apiKeys = new ApiKeyServiceClient(target, plainTransport.channelCredentials('identity'))
  const publishers = new TrustedPublisherServiceClient(target, plainTransport.channelCredentials('identity'))
  return {
    identity,
    accounts,
    apiKeys,
    publishers,
    async stop() {
      accounts.close()
      apiKeys.close()
      publishers.close()
      await server.stop()
    },
  }
}
