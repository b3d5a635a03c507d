import { readableSize } from '#libs/core/readable-text.js'
import { type TextName, text } from '../../texts/text.js'
import type { PartReader, TextForm } from '../document/document-reader.js'
import type { Kind } from '../document/kinds/kind.js'
import { copyToClipboard } from './clipboard.js'
import { element } from './element.js'
import { pressButton } from './press-button.js'

/** Larger copies would freeze the clipboard and the program that receives them. */
const copiedBytesMax = 10 * 1_048_576

export interface PartToolsParts {
  readonly reader: PartReader
  say(message: string): void
  /** Opens the part as another kind. */
  onKind(kind: Kind): void
}

function kindField({ reader: { part }, onKind }: PartToolsParts): HTMLElement {
  const options = part.kinds.map((kind) => {
    const option = element('option', { attributes: { value: kind } }, text(`kind.${kind}`))
    option.selected = kind === part.kind
    return option
  })
  const field = element(
    'select',
    { class: 'viewer-field', attributes: { name: 'kind', 'aria-label': text('parts.kind') } },
    ...options,
  )
  field.addEventListener('change', () => {
    const kind = part.kinds[field.selectedIndex]
    if (kind !== undefined) onKind(kind)
  })
  return field
}

/** A selector for the kind, and buttons to copy the part as sent and, if different, formatted. */
export function partTools(parts: PartToolsParts): HTMLElement {
  const { reader, say } = parts
  const { part } = reader
  const copy = async (form: TextForm): Promise<void> => {
    if (part.sizeBytes > copiedBytesMax)
      return say(text('share.tooLarge', { size: readableSize(part.sizeBytes) }))
    const copied = await copyToClipboard(await reader.wholeText(form))
    say(text(copied ? 'place.copied' : 'place.notCopied'))
  }
  const button = (name: TextName, form: TextForm): HTMLElement =>
    pressButton(text(name), () => {
      copy(form).catch(() => say(text('place.notCopied')))
    })
  const whole = element('div', 'viewer-tools viewer-part-tools')
  if (part.kinds.length > 1) whole.append(kindField(parts))
  if (part.name !== null && part.kind !== 'diff') whole.append(button('parts.copy', 'source'))
  if (part.isFormatted) whole.append(button('parts.copyFormatted', 'shown'))
  return whole
}

/** Why a part is shown as plain text; `null` if that is what it is. */
export function lackNotice(reader: PartReader, wanted: Kind | null): HTMLElement | null {
  const { lack, kind, sizeBytes } = reader.part
  if (lack === null) return null
  const named = text(`kind.${wanted ?? kind}`)
  const said =
    lack === 'too-large'
      ? text('parts.tooLarge', { size: readableSize(sizeBytes), kind: named })
      : text('parts.notValid', { kind: named })
  const notice = element('p', 'viewer-lack', said)
  notice.setAttribute('role', 'status')
  return notice
}
