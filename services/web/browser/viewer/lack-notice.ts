import { knownText, readableSize, text } from '../../texts/text.js'
import type { PartReader } from '../document/document-reader.js'
import type { Kind } from '../document/kinds/kind.js'
import { element } from './element.js'

/** Why a part is shown as plain text; `null` if that is what it is. */
export function lackNotice(reader: PartReader, wanted: Kind | null): HTMLElement | null {
  const { lack, kind, sizeBytes } = reader.part
  if (lack === null) return null
  // Nothing lacks in a language, which has no text of its own.
  const named = knownText(`kind.${wanted ?? kind}`) ?? ''
  const said =
    lack === 'too-large'
      ? text('parts.tooLarge', { size: readableSize(sizeBytes), kind: named })
      : text('parts.notValid', { kind: named })
  const notice = element('p', 'viewer-lack', said)
  notice.setAttribute('role', 'status')
  return notice
}
