import type { OpenedDocument, PartInfo } from './document-reader.js'
import { readStructure } from './json/structure.js'
import { listParts, type PartSource, partName, partPointers } from './parts/list-parts.js'
import { readPart } from './read-part.js'
import type { ServedDocument } from './serve-document.js'

function infoOf(part: PartSource): PartInfo {
  const extents = part.type === 'pair' ? [part.left, part.right] : [part]
  const sizeBytes = extents.reduce((size, { start, end }) => size + end - start, 0)
  return { name: partName(part), pointers: partPointers(part), sizeBytes }
}

/**
 * Reads a document from its bytes, which must be valid JSON, made by a tool of this name. Opening a part that is not
 * there throws a RangeError.
 */
export function readDocument(bytes: Uint8Array, tool = ''): ServedDocument<OpenedDocument> {
  const { parts, first } = listParts(readStructure(bytes), tool)
  return {
    opened: { sizeBytes: bytes.length, parts: parts.map(infoOf), firstPart: first },
    async openPart(index, kind, csv) {
      const part = parts[index]
      if (part === undefined) throw new RangeError(`there is no part ${index}`)
      return readPart({ bytes, part, index, tool, kind, csv })
    },
  }
}
