import type { Api } from '../../api/api.js'

/** How far an export has come; its size is not known before its end. */
export type OnBytes = (received: number) => void

/** The name that the server gives the file. */
function fileNameOf(response: Response): string {
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? []
  return name ?? 'snipkeep.tar.gz'
}

/**
 * Fetches an archive of the account. The browser holds it, large ones on disk.
 * @throws ApiProblem
 */
export async function exportAccount(
  api: Api,
  onBytes: OnBytes,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly content: Blob }> {
  const response = await api.fetch({ path: '/api/export', signal })
  let received = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, output) {
      received += chunk.length
      onBytes(received)
      output.enqueue(chunk)
    },
  })
  const body = response.body?.pipeThrough(counted) ?? null
  return { name: fileNameOf(response), content: await new Response(body).blob() }
}
