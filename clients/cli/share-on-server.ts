import type { Api } from './api.js'
import { shown } from './command.js'
import { CliError, exitCodes } from './exit-codes.js'
import { shareAt } from './upload.js'

/** The origin of the links that a server makes to shares; it may differ from the address it is called at. */
async function originOfShares(api: Api): Promise<string | null> {
  const base = shown((await api.json('GET', '/config.json')).share_base_url)
  return URL.canParse(base) ? new URL(base).origin : null
}

/**
 * The id in the URL of a share of this server; `null` if the text is not a URL.
 * @throws CliError if the share is on another server.
 */
export async function shareOnServer(api: Api, text: string): Promise<string | null> {
  const share = shareAt(text)
  if (share === null) return null
  const { origin } = new URL(share.server)
  if (origin !== api.server.origin && origin !== (await originOfShares(api)))
    throw new CliError(`This share is not on ${api.server.origin}: ${text}`, exitCodes.usage)
  return share.id
}

/**
 * The id of a share that is named by its id or its URL.
 * @throws CliError if it is on another server.
 */
export async function shareIdIn(api: Api, text: string): Promise<string> {
  return (await shareOnServer(api, text)) ?? text
}
