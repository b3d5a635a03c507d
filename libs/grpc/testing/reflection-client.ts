import { type ChannelCredentials, Client, type ServiceError } from '@grpc/grpc-js'

/** The numbers of two fields of a `ServerReflectionRequest`. */
const [fileContainingSymbol, listServices] = [4, 7]
const same = (bytes: Buffer): Buffer => bytes

/** What a server returns by reflection: its response as text, or the status that refuses it. */
export interface ReflectionClient {
  services(version?: string): Promise<string | number>
  fileOf(symbol: string, version?: string): Promise<string | number>
  close(): void
}

/** A client of gRPC Server Reflection. */
export function openReflectionClient(target: string, channel: ChannelCredentials): ReflectionClient {
  const client = new Client(target, channel)
  const ask = (field: number, text: string, version: string): Promise<string | number> => {
    const request = Buffer.concat([Buffer.of((field << 3) | 2, text.length), Buffer.from(text)])
    const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`
    const stream = client.makeBidiStreamRequest(path, same, same)
    return new Promise((resolve) => {
      stream.on('data', (response: Buffer) => resolve(response.toString('latin1')))
      stream.on('error', (error: ServiceError) => resolve(error.code))
      stream.end(request)
    })
  }
  return {
    services: (version = 'v1') => ask(listServices, '*', version),
    fileOf: (symbol, version = 'v1') => ask(fileContainingSymbol, symbol, version),
    close: () => client.close(),
  }
}
