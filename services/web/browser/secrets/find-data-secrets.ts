import { OffsetLocator, safePointer } from '#engine/secrets/locate-offsets.js'
import type { FoundSecret } from '#engine/secrets/match-secret.js'
import { secretName } from '#engine/secrets/rules.js'
import { createSecretScanner } from '#engine/secrets/secret-scanner.js'
import { blobChunks } from '../blob-chunks.js'

/** A secret in data that is about to be published, as it may be shown. */
export interface DataSecret {
  /** Such as `a GitHub token`. */
  readonly name: string
  readonly certain: boolean
  /** JSON Pointer of its value, or of a value around it; `null` in a text. */
  readonly pointer: string | null
  readonly masked: string
}

/** What data is: one JSON object, or any text. */
export type DataForm = 'json' | 'text'

/**
 * What seems to be a secret in data, in order: what the server would warn about. Data stays in this browser, and the
 * page responds meanwhile.
 */
async function findDataSecrets(data: Blob, form: DataForm): Promise<readonly DataSecret[]> {
  const nowMs = Date.now()
  const scanner = createSecretScanner({ nowMs })
  for await (const chunk of blobChunks(data)) scanner.push(chunk)
  const found = scanner.finish()
  const pointers = form === 'text' ? [] : await pointersOf(data, found)
  return found.map(({ rule, certain, masked }, index) => {
    const pointer = form === 'text' ? null : safePointer(pointers[index] ?? '', nowMs)
    return { name: secretName(rule), certain, pointer, masked }
  })
}

/** The pointers in the text of one JSON object. */
async function pointersOf(data: Blob, found: readonly FoundSecret[]): Promise<readonly string[]> {
  const locator = new OffsetLocator(found.map(({ start }) => start))
  for await (const chunk of blobChunks(data)) {
    if (locator.isDone()) break
    locator.push(chunk)
  }
  return locator.pointers()
}

/** Data that holds secrets is published only if the user insists. */
export class SecretsFound extends Error {
  readonly data: Blob
  readonly secrets: readonly DataSecret[]

  constructor(data: Blob, secrets: readonly DataSecret[]) {
    super('the data seems to hold secrets')
    this.name = 'SecretsFound'
    this.data = data
    this.secrets = secrets
  }
}

/**
 * Checks data before it is published. Pass the last failure: the user has been asked about data that it names.
 * @returns whether the user knows of secrets in it, to be sent as `allow_secrets`.
 * @throws SecretsFound to ask the user.
 */
export async function enforceSecretPolicy(
  data: Blob,
  failure: Error | null,
  form: DataForm = 'json',
): Promise<boolean> {
  if (failure instanceof SecretsFound && (await areSame(failure.data, data))) return true
  const secrets = await findDataSecrets(data, form)
  if (secrets.length > 0) throw new SecretsFound(data, secrets)
  return false
}

/** Data that was fetched again is another object. */
async function areSame(one: Blob, other: Blob): Promise<boolean> {
  if (one === other) return true
  if (one.size !== other.size) return false
  const [a, b] = [blobChunks(one), blobChunks(other)]
  for await (const chunk of a) {
    const { value } = await b.next()
    if (value === undefined || chunk.some((byte, at) => byte !== value[at])) return false
  }
  return true
}
