import type { TarEntry, TarReader } from '#libs/tar/read-tar.js'
import { watchCaller } from '../../pipeline/reauthenticate.js'
import type { SecretWarning } from '../shares/secret-warnings.js'
import { admitSecrets } from '../shares/share-secrets.js'
import {
  archiveFormat,
  archiveIncomplete,
  archiveInvalid,
  archiveVersion,
  fileKind,
} from './archive-format.js'
import { archivedAccount, archivedManifest } from './archive-schemas.js'
import { checkAnnounced, type ReceivedData, receiveData, skipData } from './import-data.js'
import { parseRecord, readText } from './import-lists.js'
import { readList } from './import-records.js'
import { concernsItem } from './import-results.js'
import type { Announced, ImportRun, NewItem } from './import-run.js'

/** The announcement of this data; those before it have not come. */
function takeExpected(run: ImportRun, { path, sizeBytes }: TarEntry): Announced {
  const index = run.expected.findIndex((one) => one.path === path)
  const found = run.expected[index]
  if (found === undefined) throw archiveInvalid(path, 'is not announced by the list before it.')
  if (found.sizeBytes !== sizeBytes) throw archiveInvalid(path, 'does not have the size that its list says.')
  run.missing.push(
    ...run.expected
      .splice(0, index + 1)
      .slice(0, index)
      .map((one) => one.path),
  )
  return found
}

/** The kind of items that a limit, such as that of snippets, refuses. */
function limitKind(path: string): string {
  return path.startsWith('data/shares/') ? 'share' : path.includes('@') ? 'version' : 'snippet'
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

async function importData(
  run: ImportRun,
  { path }: TarEntry,
  { id, origin, store }: NewItem,
  received: ReceivedData,
): Promise<void> {
  const { parts, allowSecrets, dryRun, results, refusals } = run
  const warnings = listedWarnings(run, received)
  try {
    admitSecrets(parts.shareSecrets, allowSecrets, warnings)
    if (dryRun) results.add(path, 'created', { id, ...(warnings.length > 0 ? { warnings } : {}) })
    else await store(run, { path, data: await received.keep(), warnings })
  } catch (error) {
    received.discard()
    if (concernsItem(error) && error.code.endsWith('_limit_reached')) refusals.set(limitKind(path), error)
    if (limitKind(path) === 'snippet') refusals.set(origin, error)
    results.refuse(path, error)
  }
}

async function readData(run: ImportRun, entry: TarEntry): Promise<void> {
  const { parts, context, results, dryRun } = run
  const { path } = entry
  const item = takeExpected(run, entry)
  run.caller = await run.currentCaller()
  const refuse = async (error: unknown): Promise<void> => {
    await skipData(entry, item)
    results.refuse(path, error)
  }
  const { id, origin, store } = item
  if (typeof store !== 'function') {
    await skipData(entry, item)
    if (store === null) results.add(path, 'exists', { id })
    else results.add(path, 'skipped', { reason: store })
    return
  }
  const refusal = run.refusals.get(limitKind(path)) ?? run.refusals.get(origin)
  if (refusal !== undefined) return refuse(refusal)
  try {
    checkAnnounced(parts, run.caller, item)
  } catch (error) {
    run.refusals.set(origin, error)
    return refuse(error)
  }
  const received = await receiveData(parts, context, run.caller, entry, item, !dryRun)
  await importData(run, entry, { id, origin, store }, received)
}

/** @throws DomainError `archive_incomplete` or `archive_invalid` unless everything that was exported has come. */
function checkManifest(run: ImportRun, text: string): void {
  const { files, gone } = parseRecord(archivedManifest, 'manifest.json', text)
  run.missing.push(...run.expected.splice(0).map(({ path }) => path))
  const left = new Set(gone)
  const missing = [
    ...files.filter(({ path }) => !run.files.has(path)).map(({ path }) => path),
    ...run.missing.filter((path) => !left.has(path)),
  ]
  if (missing.length > 0) throw archiveIncomplete(missing)
  for (const { path, size_bytes: sizeBytes, sha256 } of files) {
    const found = run.files.get(path)
    if (found?.sha256 !== sha256 || found.sizeBytes !== sizeBytes)
      throw archiveInvalid(path, 'does not have the SHA-256 that the manifest says.')
  }
  if (files.length !== run.files.size)
    throw archiveInvalid(null, 'has lists that its manifest does not know.')
}

function checkAccount(text: string): void {
  const { format, version } = parseRecord(archivedAccount, 'account.json', text)
  if (format !== archiveFormat) throw archiveInvalid(null, 'is not an export of Snipkeep.')
  if (version > archiveVersion) throw archiveInvalid(null, 'was made by a later release.')
}

/** Reads one file; returns whether it was the manifest. */
async function readFile(run: ImportRun, entry: TarEntry, isFirst: boolean): Promise<boolean> {
  const { path } = entry
  const kind = fileKind(path)
  if (kind === null || (kind === 'account') !== isFirst)
    throw archiveInvalid(path, 'is not a file that an export has in this place.')
  if (kind === 'data') {
    await readData(run, entry)
    return false
  }
  if (run.files.has(path)) throw archiveInvalid(path, 'is there twice.')
  const text = await readText(entry)
  if (kind === 'manifest') {
    checkManifest(run, text.text)
    return true
  }
  run.files.set(path, { sizeBytes: text.sizeBytes, sha256: text.sha256 })
  if (kind === 'account') checkAccount(text.text)
  else await readList(run, kind.list, path, text.text)
  return false
}

/** What is known to be missing of an archive that ends here. */
function missingAtEnd({ missing, expected }: ImportRun): readonly string[] {
  return [...missing, ...expected.map(({ path }) => path), 'manifest.json']
}

/** An import that has not begun. */
export type NewImport = Pick<
  ImportRun,
  'parts' | 'context' | 'caller' | 'results' | 'dryRun' | 'allowSecrets'
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
    items: 0,
    warningBytes: 0,
    expected: [],
    missing: [],
    files: new Map(),
    refusals: new Map(),
  }
  const { parts, context, caller } = given
  const currentCaller = watchCaller((known) => parts.reauthenticate(context, known), caller)
  const run: ImportRun = { ...given, currentCaller, ...empty }
  let hasManifest = false
  try {
    for (let entry = await tar.next(); entry !== null; entry = await tar.next()) {
      if (hasManifest) throw archiveInvalid(entry.path, 'comes after the manifest.')
      hasManifest = await readFile(run, entry, run.files.size === 0)
    }
    if (!hasManifest) throw archiveIncomplete(missingAtEnd(run))
  } catch (error) {
    throw explain(error, missingAtEnd(run))
  }
}
