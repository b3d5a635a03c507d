import type { OpenedDocument, PartInfo } from './document-reader.js'
import { readStructure } from './json/structure.js'
import type { Kind } from './kinds/kind.js'
import { listParts, type PartSource, partName, partPointers } from './parts/list-parts.js'
import { type ReadPart, readPart } from './read-part.js'

/** A document and its parts, each read when it is opened. */
export interface ReadDocument {
  readonly opened: OpenedDocument
  /** @throws RangeError if there is no such part. */
  openPart(index: number, kind: Kind | null): Promise<ReadPart>
}

function infoOf(part: PartSource): PartInfo {
  const extents = part.type === 'pair' ? [part.left, part.right] : [part]
  const sizeBytes = extents.reduce((size, { start, end }) => size + end - start, 0)
  return { name: partName(part), pointers: partPointers(part), sizeBytes }
}

/** Reads a document from the bytes of valid JSON made by a tool of this name. */
export function readDocument(bytes: Uint8Array, tool = ''): ReadDocument {
  const { parts, first } = listParts(readStructure(bytes), tool)
  return {
    opened: { sizeBytes: bytes.length, parts: parts.map(infoOf), firstPart: first },
    async openPart(index, kind) {
      const part = parts[index]
      if (part === undefined) throw new RangeError(`there is no part ${index}`)
      return readPart({ bytes, part, index, tool, kind })
    },
  }
}
