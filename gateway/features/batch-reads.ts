import type { CallContext } from '#libs/grpc/call.js'
import { coalesce } from '#libs/runtime/coalesce.js'
import { telemetry } from '#libs/telemetry/telemetry.js'

/** A read for one request. */
export interface Read<Request> {
  readonly request: Request
  readonly context: CallContext
}

/** 32 records with 64 KiB of data each take 2 MiB, half of the largest message of gRPC. */
const batching = { maxBatchSize: 32, maxInFlight: 2, maxDelayMs: 5 }

/**
 * Sends the reads of one turn of the event loop as one call. A single read uses `alone`; with tracing on, all do, to
 * get their own spans.
 * @param together settles each read, in order.
 */
export function batchReads<Request, Value>(
  alone: (read: Read<Request>) => Promise<Value>,
  together: (
    reads: readonly [Read<Request>, ...Read<Request>[]],
  ) => Promise<readonly PromiseSettledResult<Value>[]>,
): (read: Read<Request>) => Promise<Value> {
  const batched = coalesce<Read<Request>, Value>(batching, async (reads) =>
    reads.length === 1 ? [{ status: 'fulfilled', value: await alone(reads[0]) }] : together(reads),
  )
  return (read) => (telemetry.traces === null ? batched(read) : alone(read))
}

/**
 * A copy of data that came in a batch, so that keeping it does not keep the whole message in memory.
 */
export function detachedData<
  Data extends { readonly $case: 'inline'; readonly value: Buffer } | { readonly $case: 'documentId' },
>(data: Data | undefined): Data | undefined {
  if (data?.$case !== 'inline') return data
  return { ...data, value: Buffer.from(new Uint8Array(data.value).buffer) }
}
