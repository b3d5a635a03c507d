import type { Server, ServiceDefinition } from '@grpc/grpc-js'

/** The name of a service, from the paths of its methods: `/name/method`. */
function nameOf(definition: ServiceDefinition): string {
  return Object.values(definition)[0]?.path.split('/')[1] ?? ''
}

/**
 * Lets clients such as grpcurl discover the services without our files (gRPC Server Reflection, v1 and v1alpha).
 * Loaded only if enabled.
 * @param protocol the files of the services and all that they import.
 */
export async function addReflection(
  server: Server,
  protocol: readonly Uint8Array[],
  services: readonly { readonly definition: ServiceDefinition }[],
): Promise<void> {
  const { ReflectionService } = await import('@grpc/reflection')
  const fileDescriptorProtos = protocol.map((bytes) => Buffer.from(bytes))
  const message = { format: 'Protocol Buffer 3 DescriptorProto' as const, type: {}, fileDescriptorProtos }
  const names = services.map(({ definition }) => nameOf(definition))
  new ReflectionService({ protocol: message }, { services: names }).addToServer(server)
}
