import type { Snipkeep } from '#sdk/exports.js'

/** How far an export has come; its size is not known before its end. */
export type OnBytes = (received: number) => void

/**
 * Fetches an archive of the account. The browser holds it, large ones on disk.
 * @throws SnipkeepError
 */
export async function exportAccount(
  api: Snipkeep,
  onBytes: OnBytes,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly content: Blob }> {
  const { body, fileName } = await api.account.exportArchive({ signal })
  let received = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, output) {
      received += chunk.length
      onBytes(received)
      output.enqueue(chunk)
    },
  })
  const content = await new Response(body.pipeThrough(counted)).blob()
  return { name: fileName ?? 'snipkeep.tar.gz', content }
}
