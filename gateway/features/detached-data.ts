/**
 * A copy of data that came in a batch, so that keeping it does not keep the whole message in memory.
 */
export function detachedData<
  Data extends { readonly $case: 'inline'; readonly value: Buffer } | { readonly $case: 'documentId' },
>(data: Data | undefined): Data | undefined {
  if (data?.$case !== 'inline') return data
  return { ...data, value: Buffer.from(new Uint8Array(data.value).buffer) }
}
