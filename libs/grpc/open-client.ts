import {
  type ChannelCredentials,
  type Client,
  type ClientOptions,
  makeGenericClientConstructor,
  type ServiceDefinition,
} from '@grpc/grpc-js'

/** The target, credentials and channel options of a client. */
export interface ChannelTo {
  readonly target: string
  readonly credentials: ChannelCredentials
  readonly options: ClientOptions
}

/** A client of a service whose definition is not the generated one, such as one with its own serialization. */
export function openClient<OfService extends Client>(
  definition: ServiceDefinition,
  { target, credentials, options }: ChannelTo,
): OfService {
  const ServiceClient = makeGenericClientConstructor(definition, '')
  return new ServiceClient(target, credentials, options) as unknown as OfService
}
