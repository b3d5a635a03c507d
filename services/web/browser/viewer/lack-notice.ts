import { readableSize } from '#libs/core/readable-text.js'
import { text } from '../../texts/text.js'
import type { PartReader } from '../document/document-reader.js'
import { isLanguage, type Kind } from '../document/kinds/kind.js'
import { element } from './element.js'

/** Why a part is shown as plain text; `null` if that is what it is. */
export function lackNotice(reader: PartReader, wanted: Kind | null): HTMLElement | null {
  const { lack, kind, sizeBytes } = reader.part
  const missed = wanted ?? kind
  // Every text can be coloured as a language.
  if (lack === null || isLanguage(missed)) return null
  const named = text(`kind.${missed}`)
  const said =
    lack === 'too-large'
      ? text('parts.tooLarge', { size: readableSize(sizeBytes), kind: named })
      : text('parts.notValid', { kind: named })
  const notice = element('p', 'viewer-lack', said)
  notice.setAttribute('role', 'status')
  return notice
}
