import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TarEntry, TarReader } from '#libs/tar/read-tar.js'
import { watchCaller } from '../../pipeline/reauthenticate.js'
import type { SecretWarning } from '../shares/secret-warnings.js'
import { enforceSecretPolicy } from '../shares/share-secrets.js'
import {
  archiveFormat,
  archiveIncomplete,
  archiveInvalid,
  archiveVersion,
  fileKind,
  notAnnounced,
} from './archive-format.js'
import { archivedAccount, archivedFile, archivedGone, archivedManifest } from './archive-schemas.js'
import { checkUnguarded } from './import-contracts.js'
import { checkAnnounced, type ReceivedData, receiveData, skipData } from './import-data.js'
import { checkRecord, parseRecord, readText } from './import-lists.js'
import { readList } from './import-records.js'
import {
  type Announced,
  addFile,
  checkImported,
  earlierRefusal,
  giveUp,
  type ImportRun,
  kindOf,
  type NewItem,
  noteRefusal,
} from './import-run.js'

/** The announcement of this data; those before it have not come. */
function takeExpected(run: ImportRun, { path, sizeBytes }: TarEntry): Announced {
  const index = run.expected.findIndex((one) => one.path === path)
  const found = run.expected[index]
  if (found === undefined) throw notAnnounced(path)
  if (found.sizeBytes !== sizeBytes) throw archiveInvalid(path, 'does not have the size that its list says.')
  giveUp(run, run.expected.splice(0, index + 1).slice(0, index))
  return found
}

/** Lines wait in memory: beyond this, each lists one warning, without its place. */
const warningBytesMax = 4_194_304

function listedWarnings(run: ImportRun, { warnings }: ReceivedData): readonly SecretWarning[] {
  if (warnings.length === 0) return warnings
  run.warningBytes += JSON.stringify(warnings).length
  if (run.warningBytes <= warningBytesMax) return warnings
  const first = warnings.find(({ certain }) => certain) ?? warnings[0]
  return first === undefined ? [] : [{ ...first, pointer: '' }]
}

/** What a dry run can tell of an item; the link of a new share is not known before it is made. */
function previewed(id: string, warnings: readonly object[]): Readonly<Record<string, unknown>> {
  return { ...(id === '' ? {} : { id }), ...(warnings.length > 0 ? { warnings } : {}) }
}

async function importData(
  run: ImportRun,
  { path }: TarEntry,
  item: NewItem,
  received: ReceivedData,
): Promise<void> {
  const { dependencies, allowSecrets, dryRun, results } = run
  const { id, store } = item
  const warnings = listedWarnings(run, received)
  try {
    enforceSecretPolicy(dependencies.shareSecrets, allowSecrets, warnings)
    if (dryRun) results.add(path, 'created', previewed(id, warnings))
    else await store(run, { path, data: await received.keep(), warnings })
  } catch (error) {
    received.discard()
    results.refuse(path, error)
    noteRefusal(run, path, item, error)
  }
}

async function readData(run: ImportRun, entry: TarEntry): Promise<void> {
  const { dependencies, context, results, dryRun } = run
  const { path } = entry
  const item = takeExpected(run, entry)
  const { id, store } = item
  if (typeof store !== 'function') {
    await skipData(entry, item)
    if (store === null) results.add(path, 'exists', { id })
    else results.add(path, 'skipped', { reason: store })
    return
  }
  checkImported(run, 1)
  const refusal = earlierRefusal(run, path, item)
  if (refusal !== null) {
    await skipData(entry, item)
    results.refuseAgain(path, refusal)
    noteRefusal(run, path, item, refusal)
    return
  }
  try {
    checkAnnounced(dependencies, run.caller, item)
    if (kindOf(path) === 'version') await checkUnguarded(run, id)
  } catch (error) {
    await skipData(entry, item)
    results.refuse(path, error)
    noteRefusal(run, path, item, error)
    return
  }
  const received = await receiveData(dependencies, context, run.caller, entry, item, !dryRun)
  await importData(run, entry, { ...item, store }, received)
}

function checkAccount(text: string): void {
  const { format, version } = parseRecord(archivedAccount, 'account.json', text)
  if (format !== archiveFormat) throw archiveInvalid(null, 'is not an export of Snipkeep.')
  if (version > archiveVersion) throw archiveInvalid(null, 'was made by a later release.')
}

const manifestPath = 'manifest.json'
const elementsPerTurn = 1_000

/** Elements, with turns for other requests between them. */
async function* inTurns(elements: readonly unknown[]): AsyncGenerator<unknown, void, undefined> {
  for (const [index, element] of elements.entries()) {
    if (index % elementsPerTurn === elementsPerTurn - 1) await nextTurn()
    yield element
  }
}

/** @throws DomainError `archive_incomplete` or `archive_invalid` unless everything that was exported has come. */
async function checkManifest(run: ImportRun, text: string): Promise<void> {
  const { files, gone } = parseRecord(archivedManifest, manifestPath, text)
  giveUp(run, run.expected.splice(0))
  for await (const path of inTurns(gone)) run.missing.delete(checkRecord(archivedGone, manifestPath, path))
  const missing: string[] = []
  let changed: string | null = null
  for await (const file of inTurns(files)) {
    const { path, size_bytes: sizeBytes, sha256 } = checkRecord(archivedFile, manifestPath, file)
    const found = run.files.get(path)
    if (found === undefined) missing.push(path)
    else if (found.sha256 !== sha256 || found.sizeBytes !== sizeBytes) changed ??= path
  }
  if (missing.length + run.missing.size > 0) throw archiveIncomplete([...missing, ...run.missing])
  if (changed !== null) throw archiveInvalid(changed, 'does not have the SHA-256 that the manifest says.')
  if (files.length !== run.files.size)
    throw archiveInvalid(null, 'has lists that its manifest does not know.')
}

/** Reads one file; returns whether it was the manifest. */
async function readFile(run: ImportRun, entry: TarEntry, isFirst: boolean): Promise<boolean> {
  const { path } = entry
  const kind = fileKind(path)
  if (kind === null || (kind === 'account') !== isFirst)
    throw archiveInvalid(path, 'is not a file that an export has in this place.')
  run.caller = await run.currentCaller()
  if (kind === 'data') {
    await readData(run, entry)
    return false
  }
  if (run.files.has(path)) throw archiveInvalid(path, 'appears twice.')
  if (kind === 'manifest') {
    await checkManifest(run, (await readText(entry)).text)
    return true
  }
  if (kind === 'account') {
    const { text, ...digest } = await readText(entry)
    addFile(run, path, digest)
    checkAccount(text)
  } else addFile(run, path, await readList(run, kind.list, entry))
  return false
}

/** What is known to be missing of an archive that ends here. */
function missingAtEnd({ missing, expected }: ImportRun): readonly string[] {
  return [...missing, ...expected.map(({ path }) => path), manifestPath]
}

/** An import that has not begun. */
export type NewImport = Pick<
  ImportRun,
  'dependencies' | 'context' | 'caller' | 'results' | 'memory' | 'dryRun' | 'allowSecrets'
>

/**
 * Imports an archive item by item. Each has its line in the results, and one that is there already stays as it is.
 * @param explain turns an error of the archive into one of the API; gets what is missing if the archive ends too early.
 * @throws DomainError `archive_incomplete`, `archive_invalid`, `archive_too_large`, and those of the whole import.
 */
export async function importArchive(
  given: NewImport,
  tar: TarReader,
  explain: (error: unknown, missing: readonly string[]) => unknown,
): Promise<void> {
  const empty = {
    entries: 0,
    warningBytes: 0,
    expected: [],
    missing: new Set<string>(),
    planned: new Map<string, string>(),
    contracts: null,
    files: new Map(),
    refusals: { kinds: new Map(), snippet: null, storage: null },
  }
  const { dependencies, context, caller } = given
  const currentCaller = watchCaller((known) => dependencies.reauthenticate(context, known), caller)
  const run: ImportRun = { ...given, currentCaller, ...empty }
  let hasManifest = false
  try {
    for (let entry = await tar.next(); entry !== null; entry = await tar.next()) {
      if (hasManifest) throw archiveInvalid(entry.path, 'comes after the manifest.')
      hasManifest = await readFile(run, entry, run.files.size === 0)
      await run.results.room()
    }
    if (!hasManifest) throw archiveIncomplete(missingAtEnd(run))
  } catch (error) {
    throw explain(error, missingAtEnd(run))
  }
}
