/** Sends each request as its own call. */
export const coalesce = (_options, batchCall) => async (request) => {
  const [result] = await batchCall([request])
  if (result?.status === 'fulfilled') return result.value
  throw result?.reason ?? new Error('a request of a batch got no result')
}

export const batchWithFallback = (_options, _batch, alone) => alone

export const batchReads = (alone) => alone

export const oneBatchAtATime = { maxBatchSize: 1, maxInFlight: 1, maxDelayMs: 0 }
