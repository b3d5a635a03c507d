import type { FoundSecret } from '#engine/secrets/match-secret.js'
import type { ContentSource } from './content-source.js'
import type { Context } from './context.js'
import { CliError } from './exit-codes.js'
import { redacted } from './redacted-content.js'
import { describeSecrets, findSecretsIn } from './secrets-in-content.js'
import { ask, write } from './terminal.js'

/** What may be published. */
export interface Admitted {
  readonly source: ContentSource
  /** The user knows of the secrets in it; `undefined` leaves it to the server. */
  readonly allowSecrets: true | undefined
}

async function redact(context: Context, source: ContentSource, found: readonly FoundSecret[]) {
  const certain = found.filter((one) => one.certain)
  if (certain.length === 0) return { source, found }
  await context.note(
    `${certain.length === 1 ? 'A secret was' : `${certain.length} secrets were`} replaced by ***: what is shared differs from the file.`,
  )
  const rest = await redacted(source, certain)
  return { source: rest, found: await findSecretsIn(rest) }
}

/**
 * Looks for secrets in what is about to be published. On a terminal the user decides; otherwise those beyond doubt are
 * refused, and likely ones only mentioned.
 * @throws CliError if it must not be published.
 */
export async function enforceSecretPolicy(
  context: Context,
  content: ContentSource,
  options: { readonly allow: boolean; readonly redact: boolean },
): Promise<Admitted> {
  if (options.allow) return { source: content, allowSecrets: true }
  const first = { source: content, found: await findSecretsIn(content) }
  const { source, found } = options.redact ? await redact(context, content, first.found) : first
  if (found.length === 0) return { source, allowSecrets: undefined }
  const { stdin, stderr } = context.terminal
  const lines = await describeSecrets(source, found)
  await write(stderr, `This seems to hold secrets:\n${lines.join('\n')}\n`)
  if (stdin.isTTY === true && stderr.isTTY === true) {
    const reply = await ask(context.terminal, 'Publish it nevertheless? [y/N] ')
    if (/^y(es)?$/i.test(reply)) return { source, allowSecrets: true }
    throw new CliError('Nothing was shared.')
  }
  if (found.every(({ certain }) => !certain)) return { source, allowSecrets: undefined }
  throw new CliError('Nothing was shared. Use --redact to replace them, or --allow-secrets to publish them.')
}
