import type { FoundSecret } from '#engine/secrets/match-secret.js'
import { secretName } from '#engine/secrets/rules.js'
import { createSecretScanner } from '#engine/secrets/secret-scanner.js'
import type { ContentSource } from './content-source.js'
import { optimizeAgain } from './frugal-transfer.js'

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
