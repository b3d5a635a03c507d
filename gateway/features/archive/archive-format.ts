import { DomainError } from '#libs/core/domain-error.js'

/** What the first and the last file of an archive say it is. */
export const archiveFormat = 'snipkeep-export'
export const archiveVersion = 2

/** Snippets, versions, shares and history entries that one import creates or refuses. */
export const itemsMax = 100_000

/** The lists of an archive; a long one continues in `name-2.ndjson`. */
export type ListName =
  | 'snippets'
  | 'contracts'
  | 'checks'
  | 'shares'
  | 'history'
  | 'keys'
  | 'trusted-publishers'
  | 'events'

/** A list and the data that comes with it end after this many bytes, because both are held in memory. */
export const partBytesMax = 4_194_304

export function listPath(name: ListName, part: number): string {
  return part === 1 ? `${name}.ndjson` : `${name}-${part}.ndjson`
}

/** The data of a snippet, of an earlier version of it, of a check, or of a share. */
export function dataPath(kind: 'snippets' | 'checks' | 'shares', id: string, version?: number): string {
  return `data/${kind}/${id}${version === undefined ? '' : `@${version}`}.json`
}

const lists =
  /^(snippets|contracts|checks|shares|history|keys|trusted-publishers|events)(?:-[1-9][0-9]{0,5})?\.ndjson$/
const data =
  /^data\/(?:snippets\/[0-9A-Za-z]{22}(?:@[1-9][0-9]{0,9})?|checks\/[0-9A-Za-z]{22}|shares\/[0-9A-Za-z]{22}(?:[0-9A-Za-z]{2})?)\.json$/

/** What a file is by its path; `null` if no archive has it. */
export function fileKind(path: string): 'account' | 'manifest' | 'data' | { readonly list: ListName } | null {
  if (path === 'account.json') return 'account'
  if (path === 'manifest.json') return 'manifest'
  if (data.test(path)) return 'data'
  const [, list] = lists.exec(path) ?? []
  return list === undefined ? null : { list: list as ListName }
}

/** 400 `archive_invalid`: it is not an archive of ours, or was changed. */
export function archiveInvalid(path: string | null, what: string): DomainError {
  const subject = path === null ? 'The archive' : `In the archive, ${path}`
  return invalid(path, `${subject} ${what}`)
}

/** 400 `archive_invalid`: data that no list names. */
export function notAnnounced(path: string): DomainError {
  return invalid(path, `The list before ${path} in the archive does not mention it.`)
}

function invalid(path: string | null, what: string): DomainError {
  const details = path === null ? {} : { path }
  return new DomainError('invalid', 'archive_invalid', `${what} Send the export unmodified.`, details)
}

const missingMax = 20

/** 400 `archive_incomplete`: it ends too early, or files are missing. */
export function archiveIncomplete(missing: readonly string[]): DomainError {
  const [first = 'manifest.json'] = missing
  const what =
    missing.length > 1
      ? `${missing.length} files are missing, among them ${first}`
      : `1 file is missing: ${first}`
  const message = `The archive is incomplete: ${what}. Download it again.`
  const errors = missing.slice(0, missingMax).map((path) => ({
    ...{ pointer: path, code: 'missing', detail: `${path} is missing.` },
  }))
  return new DomainError('invalid', 'archive_incomplete', message, { errors })
}

/** 413 `archive_too_large`. */
export function archiveTooLarge(message: string, limit: number): DomainError {
  return new DomainError('too-large', 'archive_too_large', message, { limit })
}
