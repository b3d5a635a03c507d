import type { DocumentReader, Progress } from '../document/document-reader.js'
import { workerReader } from '../document/worker-reader.js'
import { scriptAddress } from '../script-address.js'
import type { OpenedOutput, WantedRun } from './read-output.js'
import workerUrl from './tool-worker.ts?worker&url'

/** Runs a tool in a worker of its own. Closing the reader ends it, also while it runs. */
export function openRun(
  wanted: WantedRun,
  onProgress: (progress: Progress) => void,
): DocumentReader<OpenedOutput> {
  const worker = new Worker(scriptAddress(workerUrl), { type: 'module' })
  return workerReader({ worker, source: Promise.resolve(wanted), onProgress })
}
