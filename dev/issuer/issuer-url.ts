import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The configured URL, or else `localhost` with the port. */
export function issuerUrlOf(port: number, configured: string | null): string {
  return configured ?? `http://localhost:${port}`
}

const fileOf = (dataDir: string): string => join(dataDir, 'issuer-url')

/** Records the URL of the issuer, for commands that create tokens without it. */
export async function noteIssuerUrl(dataDir: string, url: string): Promise<void> {
  await writeFile(fileOf(dataDir), `${url}\n`)
}

/** The last recorded URL; `null` before the issuer's first start. */
export async function notedIssuerUrl(dataDir: string): Promise<string | null> {
  const text = (await readFile(fileOf(dataDir), 'utf8').catch(() => '')).trim()
  return text === '' ? null : text
}

/** The port of the last recorded URL, if it is one of this machine; otherwise `null`. */
export async function notedIssuerPort(dataDir: string): Promise<number | null> {
  const [, port] = /^http:\/\/localhost:(\d{1,5})$/.exec((await notedIssuerUrl(dataDir)) ?? '') ?? []
  return port === undefined ? null : Number(port)
}
