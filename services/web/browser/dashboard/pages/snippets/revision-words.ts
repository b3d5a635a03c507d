import { text } from '../../../../texts/text.js'

/** Who made a version, in words; an unknown kind of a newer server is shown as is. */
export function makerWords({
  principal,
}: {
  readonly principal: { readonly kind: string; readonly label: string | null } | null
}): string {
  if (principal === null) return text('revisions.byUnknown')
  const { kind, label } = principal
  switch (kind) {
    case 'owner':
      return text('events.byOwner')
    case 'api_key':
      return label === null ? text('events.byKey') : text('revisions.byKey', { label })
    case 'ci_job':
      return label === null ? text('events.byJob') : text('revisions.byJob', { label })
    default:
      return kind
  }
}
