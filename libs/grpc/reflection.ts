import type { Server, ServiceDefinition } from '@grpc/grpc-js'

/** The name of a service, from the paths of its methods: `/name/method`. */
function nameOf(definition: ServiceDefinition): string {
  return Object.values(definition)[0]?.path.split('/')[1] ?? ''
}

/**
 * Lets a server say what it offers, so that tools such as grpcurl need no file of ours (gRPC Server Reflection, v1 and
 * v1alpha). Whoever does not want it loads nothing for it.
 * @param protocol the files that the services are described in and all that those import.
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
