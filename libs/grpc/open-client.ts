import {
  type ChannelCredentials,
  type Client,
  type ClientOptions,
  makeGenericClientConstructor,
  type ServiceDefinition,
} from '@grpc/grpc-js'

/** Where a client calls, how it proves who it is, and what its channel is like. */
export interface ChannelTo {
  readonly target: string
  readonly credentials: ChannelCredentials
  readonly options: ClientOptions
}

/** A client of a service whose definition is not the generated one, such as one that reads messages in its own way. */
export function openClient<OfService extends Client>(
  definition: ServiceDefinition,
  { target, credentials, options }: ChannelTo,
): OfService {
  const ServiceClient = makeGenericClientConstructor(definition, '')
  return new ServiceClient(target, credentials, options) as unknown as OfService
}
