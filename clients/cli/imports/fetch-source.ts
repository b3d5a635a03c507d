import { readFile } from 'node:fs/promises'
import { CliError, exitCodes } from '../exit-codes.js'
import { ImportFormatError } from './imported-item.js'

/** Of a response: a hostile server shall not fill our memory. */
const responseBytesMax = 209_715_200
const timeoutMs = 60_000

/** Whoever goes on asking is refused for longer. */
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
async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > responseBytesMax)
      throw new CliError(`${new URL(response.url).host} sends more than ${responseBytesMax} bytes.`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/**
 * Fetches from another service.
 * @throws CliError; RateLimitedError
 */
export async function fetchText(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string> {
  if (!URL.canParse(url)) throw new CliError(`This is not the URL of a file: ${url}`)
  try {
    const options = { headers: { 'User-Agent': 'snipkeep-cli', ...headers } }
    const response = await fetch(url, {
      ...options,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    checkStatus(response, url)
    return await boundedText(response)
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError(`${new URL(url).host} could not be reached.`, exitCodes.unavailable, { cause: error })
  }
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
    throw new CliError(`Cannot read the file: ${path}`, exitCodes.usage, { cause: error })
  })
  return parseJson(text, path)
}
