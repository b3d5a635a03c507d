import { z } from 'zod'
import { pointerTo } from '#engine/json-pointer.js'
import { OffsetLocator, safePointer } from '#engine/secrets/locate-offsets.js'
import type { LocatedSecret } from '#engine/secrets/locating-scanner.js'
import type { FoundSecret } from '#engine/secrets/match-secret.js'
import { DomainError } from '#libs/core/domain-error.js'
import type { NewData } from '#proto/snipkeep/content/v1/document_service.js'
import { chunksOf } from '../../data/locate-value.js'
import { dataPart } from '../../data/stored-data.js'
import { accountReader } from '../../rate-limits/rate-limits.js'
import { type Caller, documentCall, type RequestContext } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'

/** A secret in a share, as it may be shown. */
export const secretWarning = z
  .object({
    rule: z.string().meta({ description: 'What it is. New rules may be added.', example: 'github-token' }),
    certain: z.boolean().describe('Whether the match is certain.'),
    pointer: z.string().meta({
      description: 'JSON Pointer of the value in `data`; of a value around it if a key may not be shown.',
      example: '/config/token',
    }),
    masked: z.string().meta({ description: 'How it begins and ends.', example: 'ghp_…9f2K' }),
  })
  .meta({ id: 'SecretWarning' })

export type SecretWarning = z.infer<typeof secretWarning>

/** A response and a refusal list so many. */
const warningsMax = 20

/** The certain ones first. */
function mostImportant<Found extends FoundSecret>(found: readonly Found[]): readonly Found[] {
  const likely = found.filter(({ certain }) => !certain)
  return [...found.filter(({ certain }) => certain), ...likely].slice(0, warningsMax)
}

/** What a caller is told about secrets whose places are known: where each is and how it begins, never the secret. */
export function warningsOf(found: readonly LocatedSecret[]): readonly SecretWarning[] {
  const shown = mostImportant(found).toSorted((one, other) => one.start - other.start)
  return shown.map(({ rule, certain, masked, pointer }) => ({
    ...{ rule, certain, pointer: safePointer(pointer, Date.now()), masked },
  }))
}

type Reads = Pick<FeatureDependencies, 'documentReads'>

/** Reads stored data up to the last place; a store that is unavailable now does not fail the request. */
async function locateInDocument(
  { documentReads }: Reads,
  context: RequestContext,
  caller: Caller,
  documentId: string,
  locator: OffsetLocator,
): Promise<void> {
  const request = { context: documentCall(context), reader: accountReader(caller) }
  try {
    for await (const chunk of chunksOf(
      dataPart(documentReads, { $case: 'documentId', value: documentId }, request),
    )) {
      locator.push(chunk)
      if (locator.isDone()) return
    }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
  }
}

async function pointersOf(
  reads: Reads,
  context: RequestContext,
  caller: Caller,
  data: NewData,
  offsets: readonly number[],
): Promise<readonly string[]> {
  const locator = new OffsetLocator(offsets)
  if (data.source?.$case === 'inline') locator.push(data.source.value)
  if (data.source?.$case === 'documentId')
    await locateInDocument(reads, context, caller, data.source.value, locator)
  return locator.pointers()
}

/**
 * The same for data that was received, which is read again if it has secrets.
 * @param textKey the member of `data` that holds an uploaded text; `null` if `data` was sent as JSON.
 */
export async function secretWarnings(
  reads: Reads,
  context: RequestContext,
  caller: Caller,
  found: readonly FoundSecret[],
  data: NewData | undefined,
  textKey: string | null,
): Promise<readonly SecretWarning[]> {
  if (found.length === 0 || data === undefined) return []
  const shown = mostImportant(found).toSorted((one, other) => one.start - other.start)
  const offsets = shown.map(({ start }) => start)
  const pointers = textKey === null ? await pointersOf(reads, context, caller, data, offsets) : []
  const whole = textKey === null ? '' : pointerTo([textKey])
  return warningsOf(shown.map((one, index) => ({ ...one, pointer: pointers[index] ?? whole })))
}
