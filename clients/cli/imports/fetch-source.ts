import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { CliError, exitCodes, usageError } from '../exit-codes.js'
import { dataUrl, ImportFormatError } from './imported-item.js'

/** Of a response: a hostile server shall not fill our memory. */
const responseBytesMax = 209_715_200
const timeoutMs = 60_000

/** Asking again at once would be refused for longer. */
export class RateLimitedError extends CliError {}

/** @throws RateLimitedError, CliError */
function checkStatus({ ok, status, headers }: Response, url: string): void {
  if (ok) return
  const { host } = new URL(url)
  if (status === 429 || (status === 403 && headers.get('X-RateLimit-Remaining') === '0'))
    throw new RateLimitedError(
      `${host} accepts no more requests for now. Try again later.`,
      exitCodes.unavailable,
    )
  const code = status === 404 ? exitCodes.notFound : exitCodes.failed
  throw new CliError(`${host} responds with ${status} to ${url.replace(/[?#].*$/, '')}`, code)
}

/** @throws CliError beyond the limit. */
async function boundedBytes(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > responseBytesMax)
      throw new CliError(`${new URL(response.url).host} sends more than ${responseBytesMax} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** @throws CliError; RateLimitedError */
async function fetchBytes(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Buffer> {
  if (!URL.canParse(url)) throw new CliError(`This is not the URL of a file: ${url}`)
  try {
    const options = { headers: { 'User-Agent': 'snipkeep-cli', ...headers } }
    const response = await fetch(url, {
      ...options,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    checkStatus(response, url)
    return await boundedBytes(response)
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError(`${new URL(url).host} could not be reached.`, exitCodes.unavailable, { cause: error })
  }
}

/**
 * Fetches from another service.
 * @throws CliError; RateLimitedError
 */
export async function fetchText(...request: Parameters<typeof fetchBytes>): Promise<string> {
  return new TextDecoder().decode(await fetchBytes(...request))
}

/**
 * Fetches a file: its text, or a `data:` URL if it is not UTF-8.
 * @throws CliError; RateLimitedError
 */
export async function fetchFile(...request: Parameters<typeof fetchBytes>): Promise<string> {
  const bytes = await fetchBytes(...request)
  return isUtf8(bytes) ? bytes.toString() : dataUrl(bytes.toString('base64'), '')
}

/**
 * The JSON in a text.
 * @throws ImportFormatError
 */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ImportFormatError(`${what} is not JSON.`)
  }
}

/**
 * A file with JSON.
 * @throws CliError if it cannot be read; ImportFormatError
 */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw usageError(`Cannot read the file: ${path}`, { cause: error })
  })
  return parseJson(text, path)
}
