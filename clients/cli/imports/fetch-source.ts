import { readFile } from 'node:fs/promises'
import { CliError, exitCodes } from '../exit-codes.js'
import { ImportFormatError } from './imported-item.js'

/** Of a response: a hostile server shall not fill our memory. */
const responseBytesMax = 209_715_200
const timeoutMs = 60_000

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
 * @throws CliError
 */
export async function fetchText(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string> {
  try {
    const options = { headers: { 'User-Agent': 'snipkeep-cli', ...headers } }
    const response = await fetch(url, {
      ...options,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    if (!response.ok) {
      const code = response.status === 404 ? exitCodes.notFound : exitCodes.failed
      throw new CliError(
        `${new URL(url).host} responds with ${response.status} to ${url.replace(/[?#].*$/, '')}`,
        code,
      )
    }
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
