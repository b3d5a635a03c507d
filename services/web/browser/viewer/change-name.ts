import { type TextName, text } from '../../texts/text.js'
import type { ChangeKind } from '../document/changes.js'

/** In full, so that pages without comparisons hold no other texts of theirs. */
const names: Readonly<Record<ChangeKind, TextName>> = {
  added: 'compare.added',
  removed: 'compare.removed',
  changed: 'compare.changed',
  moved: 'compare.moved',
}

/** What has happened to a value, in a word. */
export function changeName(kind: ChangeKind): string {
  return text(names[kind])
}
