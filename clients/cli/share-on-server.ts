import type { Snipkeep } from '../sdk/snipkeep.js'
import { usageError } from './exit-codes.js'
import { shareIn } from './upload.js'

/** The origin of the links that a server makes to shares; it may differ from the address it is called at. */
async function originOfShares(sk: Snipkeep): Promise<string | null> {
  const { share_base_url: base } = await sk.config()
  return URL.canParse(base) ? new URL(base).origin : null
}

/**
 * The id in the URL of a share of this server; `null` if the text is not a URL.
 * @throws CliError if the share is on another server.
 */
export async function shareOnServer(sk: Snipkeep, text: string): Promise<string | null> {
  const share = shareIn(text)
  if (share === null) return null
  const { origin } = new URL(share.server)
  const own = new URL(sk.server).origin
  if (origin !== own && origin !== (await originOfShares(sk)))
    throw usageError(`This share is not on ${own}: ${text}`)
  return share.id
}

/**
 * The id of a share that is named by its id or its URL.
 * @throws CliError if it is on another server.
 */
export async function shareIdIn(sk: Snipkeep, text: string): Promise<string> {
  return (await shareOnServer(sk, text)) ?? text
}
