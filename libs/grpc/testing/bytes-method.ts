import type { MethodDefinition } from '@grpc/grpc-js'

const same = (bytes: Buffer): Buffer => bytes

/** A method whose messages are raw bytes; unary unless a side streams. */
export function bytesMethod(
  path: string,
  streams: { readonly request?: boolean; readonly response?: boolean } = {},
): MethodDefinition<Buffer, Buffer> {
  return {
    path,
    requestStream: streams.request === true,
    responseStream: streams.response === true,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  }
}
