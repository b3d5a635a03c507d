// A process for the bench: for each file path it receives, it reports how long each of the two scanners takes.
import { readFileSync } from 'node:fs'
import { createJsonScanner, type JsonScanner } from '../json-scanner.js'
import { createReferenceScanner } from './reference-scanner.js'

const chunkBytes = 65_536
const depthMax = 512

function scanMs(scanner: JsonScanner, bytes: Buffer): number {
  const startedAt = performance.now()
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes)
    if (scanner.scan(chunk, 0, chunk.length) !== chunk.length) throw new Error(`refused behind byte ${at}`)
  }
  return performance.now() - startedAt
}

process.on('message', (path: string) => {
  const bytes = readFileSync(path)
  process.send?.({
    ours: scanMs(createJsonScanner(depthMax), bytes),
    reference: scanMs(createReferenceScanner(depthMax), bytes),
  })
})
process.on('disconnect', () => process.exit())
