import { scriptAddress } from '../script-address.js'
import type { DocumentReader, DocumentSource, OpenedDocument, Progress } from './document-reader.js'
import type { ToolDocument } from './document-worker.js'
import workerUrl from './document-worker.ts?worker&url'
import { workerReader } from './worker-reader.js'

async function toolDocument({
  rawPath,
  sizeBytes,
  headers,
  tool = '',
}: DocumentSource): Promise<ToolDocument> {
  return { wanted: { rawPath, sizeBytes, headers: await headers() }, tool }
}

/** Opens a document in a worker of its own. `onProgress` gets the progress until it is open. */
export function openDocument(
  source: DocumentSource,
  onProgress: (progress: Progress) => void,
): DocumentReader {
  const worker = new Worker(scriptAddress(workerUrl), { type: 'module' })
  return workerReader<ToolDocument, OpenedDocument>({ worker, source: toolDocument(source), onProgress })
}
