import { knownText, text } from '../../../../texts/text.js'
import { principalWords } from '../events/event-words.js'

/** Who made a version, in words; an unknown kind of a newer server is shown as is. */
export function makerWords({
  principal,
}: {
  readonly principal: { readonly kind: string; readonly label: string | null } | null
}): string {
  if (principal === null) return text('revisions.byUnknown')
  const { kind, label } = principal
  const labelled = label === null ? null : knownText(`maker.${kind}`, { label })
  return labelled ?? principalWords({ principal })
}
