import { DomainError } from '#libs/core/domain-error.js'
import type { ByteSource } from '../../body/body-bytes.js'
import { parseJsonPointer } from '../../data/json-pointer.js'
import { chunksOf, locateValue, type RawRead } from '../../data/locate-value.js'
import { decodeString } from '../../data/send-raw.js'
import { dataPart } from '../../data/stored-data.js'
import type { Part } from '../../http/send-bytes.js'
import { searchCall } from '../../request/request-context.js'
import type { Source } from './find-source.js'
import type { SideName } from './read-comparison.js'

/** A side of a comparison. */
interface Side {
  readonly name: SideName
  readonly source: Source
  /** The value to compare; by default, the whole document. */
  readonly pointer: string | undefined
}

function missing(side: SideName): DomainError {
  return new DomainError('not-found', 'not_found', 'The value that pointer names does not exist.', { side })
}

function sourceOf(part: Part): ByteSource {
  const chunks = chunksOf(part)
  return {
    async next() {
      const { done, value } = await chunks.next()
      return done === true ? null : Buffer.from(value.buffer, value.byteOffset, value.length)
    },
    stop: () => void chunks.return(),
  }
}

/**
 * The bytes to compare: those of the document, or of the value that the pointer names; of a string, its text.
 * @throws DomainError `not_found` with the side if the pointer names nothing.
 */
export async function openSide(
  read: Omit<RawRead, 'source'>,
  { name, source, pointer = '' }: Side,
): Promise<ByteSource> {
  const { reads, reader, context } = read
  const request = { context: searchCall(context), reader }
  if (pointer === '') return sourceOf(dataPart(reads, source.data, request))
  const raw = { ...read, source: { ...source, tool: '', title: '' } }
  const { value, bytes } = await locateValue(raw, parseJsonPointer(pointer), undefined).catch(
    (error: unknown) => {
      throw error instanceof DomainError && error.kind === 'not-found' ? missing(name) : error
    },
  )
  const { offset, length, kind } = value
  const part = bytes ?? dataPart(reads, source.data, request, { offset, length })
  return sourceOf(kind === 'string' ? decodeString([part]) : part)
}
