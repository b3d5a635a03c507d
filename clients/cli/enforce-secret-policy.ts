import type { FoundSecret } from '#engine/secrets/match-secret.js'
import { secretName } from '#engine/secrets/rules.js'
import { createSecretScanner } from '#engine/secrets/secret-scanner.js'
import type { ContentSource } from './content-source.js'
import type { Context } from './context.js'
import { CliError } from './exit-codes.js'
import { optimizeAgain } from './frugal-transfer.js'
import { redacted } from './redacted-content.js'
import { ask, write } from './terminal.js'

/** More than anyone reads; what holds more is not worth redacting. */
const foundMax = 1_000

/** What seems to be a secret in a content, which stays on this machine meanwhile. */
export async function findSecretsIn(source: ContentSource): Promise<readonly FoundSecret[]> {
  const scanner = createSecretScanner({ nowMs: Date.now(), foundMax })
  const content = source.open()
  optimizeAgain()
  for await (const chunk of content) scanner.push(chunk)
  return scanner.finish()
}

const newline = 0x0a
const linesMax = 10

/** A line for each, with its place in the content. */
export async function describeSecrets(
  source: ContentSource,
  found: readonly FoundSecret[],
): Promise<readonly string[]> {
  const shown = found.slice(0, linesMax)
  const places: number[] = []
  let [line, offset] = [1, 0]
  for await (const chunk of source.open()) {
    for (let at = 0; at < chunk.length; at += 1) {
      while (shown[places.length]?.start === offset + at) places.push(line)
      if (chunk[at] === newline) line += 1
    }
    offset += chunk.length
    if (places.length === shown.length) break
  }
  const name = source.name ?? 'standard input'
  const lines = shown.map(
    ({ rule, masked, certain }, index) =>
      `  ${name}:${places[index]}: ${certain ? '' : 'perhaps '}${secretName(rule)} (${masked})`,
  )
  const more = found.length - shown.length
  return more === 0 ? lines : [...lines, `  and ${more} more`]
}

/** What may be published. */
export interface CheckedContent {
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
): Promise<CheckedContent> {
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
