import type { IncomingHttpHeaders } from 'node:http'
import { DomainError } from '#libs/core/domain-error.js'
import type { RequestContext } from '../request/request-context.js'
import { noneMatchHolds, quoteTag, readTags } from '../request/request-head.js'

/** What the conditions of a read are compared with. */
export interface Validators {
  readonly etag: string
  /** Only of what never changes: two changes within a second would have the same date (RFC 9110 §8.8.2.2). */
  readonly lastModified?: Date | undefined
}

/** The three formats of a date (RFC 9110 §5.6.7). */
const anyDate =
  /^([A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [\d ]\d [\d:]{8} \d{4})$/

/** `NaN` for no valid date. */
function readDate(header: string): number {
  if (!anyDate.test(header)) return Number.NaN
  return Date.parse(header.endsWith('GMT') ? header : `${header} GMT`)
}

/** The value of a `Last-Modified` header, never later than now, as another clock may be ahead (RFC 9110 §8.8.2.1). */
export function lastModifiedText(date: Date): string {
  return new Date(Math.min(date.getTime(), Date.now())).toUTCString()
}

const wholeSeconds = (date: Date): number => date.getTime() - (date.getTime() % 1_000)

/**
 * Whether the version is one that the request wants at all. Tags are compared strongly, as the client may be putting
 * together parts of one version (RFC 9110 §13.1.1), and a malformed list names none.
 */
function isWanted(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const { 'if-match': match, 'if-unmodified-since': since } = headers
  if (match !== undefined)
    return match.trim() === '*' || (readTags(match) ?? []).some(({ weak, tag }) => !weak && tag === etag)
  if (since === undefined || lastModified === undefined) return true
  return !(wholeSeconds(lastModified) > readDate(since))
}

/** Whether the client has the version. */
function isKnown(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const { 'if-none-match': noneMatch, 'if-modified-since': since } = headers
  if (noneMatch !== undefined) return noneMatchHolds(noneMatch, etag)
  return since !== undefined && lastModified !== undefined && wholeSeconds(lastModified) <= readDate(since)
}

/**
 * Sets the validators and evaluates the conditions of a read in the order of RFC 9110 §13.2.2: sends 304 and returns
 * true if the client has the version.
 * @param without headers that a 304 does not repeat.
 * @throws DomainError `precondition_failed` if the request wants another version.
 */
export function sendNotModified(
  { request, response }: RequestContext,
  validators: Validators,
  without: readonly string[] = [],
): boolean {
  if (!isWanted(request.headers, validators)) {
    const message = 'The condition of the request names another version. Send it without the condition.'
    throw new DomainError('precondition-failed', 'precondition_failed', message)
  }
  const { etag, lastModified } = validators
  response.setHeader('ETag', quoteTag(etag))
  if (lastModified !== undefined) response.setHeader('Last-Modified', lastModifiedText(lastModified))
  if (!isKnown(request.headers, validators)) return false
  for (const name of without) response.removeHeader(name)
  response.writeHead(304)
  response.end()
  return true
}

/**
 * Reads a resource and sets its validators, or sends 304 and returns `null` if the client has it. A request with
 * `If-None-Match` is first checked without reading any data.
 * @param read reads the resource, with or without its data.
 * @param includeData whether the response needs the data.
 * @throws DomainError as `sendNotModified`.
 */
export async function fetchUnlessKnown<T extends Validators>(
  context: RequestContext,
  read: (includeData: boolean) => Promise<T>,
  includeData = true,
): Promise<T | null> {
  const conditional = context.request.headers['if-none-match'] !== undefined
  const first = await read(includeData && !conditional)
  if (sendNotModified(context, first)) return null
  if (!conditional || !includeData) return first
  const second = await read(true)
  return sendNotModified(context, second) ? null : second
}
