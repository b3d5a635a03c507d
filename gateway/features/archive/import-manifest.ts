import { setImmediate as nextTurn } from 'node:timers/promises'
import { archiveIncomplete, archiveInvalid } from './archive-format.js'
import { archivedFile, archivedGone, archivedManifest } from './archive-schemas.js'
import { checkRecord, parseRecord } from './import-lists.js'
import { giveUp, type ImportRun } from './import-run.js'

const name = 'manifest.json'
const elementsPerTurn = 1_000

/** Elements, with turns for other requests between them. */
async function* inTurns(elements: readonly unknown[]): AsyncGenerator<unknown, void, undefined> {
  for (const [index, element] of elements.entries()) {
    if (index % elementsPerTurn === elementsPerTurn - 1) await nextTurn()
    yield element
  }
}

/** @throws DomainError `archive_incomplete` or `archive_invalid` unless everything that was exported has come. */
export async function checkManifest(run: ImportRun, text: string): Promise<void> {
  const { files, gone } = parseRecord(archivedManifest, name, text)
  giveUp(run, run.expected.splice(0))
  for await (const path of inTurns(gone)) run.missing.delete(checkRecord(archivedGone, name, path))
  const missing: string[] = []
  let changed: string | null = null
  for await (const file of inTurns(files)) {
    const { path, size_bytes: sizeBytes, sha256 } = checkRecord(archivedFile, name, file)
    const found = run.files.get(path)
    if (found === undefined) missing.push(path)
    else if (found.sha256 !== sha256 || found.sizeBytes !== sizeBytes) changed ??= path
  }
  if (missing.length + run.missing.size > 0) throw archiveIncomplete([...missing, ...run.missing])
  if (changed !== null) throw archiveInvalid(changed, 'does not have the SHA-256 that the manifest says.')
  if (files.length !== run.files.size)
    throw archiveInvalid(null, 'has lists that its manifest does not know.')
}
