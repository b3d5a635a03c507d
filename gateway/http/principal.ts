import type { Principal } from '#proto/snipkeep/content/v1/snippet_service.js'
import type { Caller, ProvenBy } from './request-context.js'

const kinds = {
  'identity-token': 'owner',
  'api-key': 'api_key',
  'trusted-publisher': 'ci_job',
} as const satisfies Record<ProvenBy['kind'], string>

/** The author of a snippet version, as content stores it. */
export function principalOf({ provenBy }: Pick<Caller, 'provenBy'>): Principal {
  const kind = kinds[provenBy.kind]
  if (provenBy.kind === 'identity-token') return { kind, id: '', label: '' }
  return { kind, id: provenBy.id, label: provenBy.name ?? '' }
}
