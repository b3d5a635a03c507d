import type { ApiKey } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { keysKey, profileKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'

/** Asks for confirmation and revokes a key. */
export function RevokeKeyDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; onClose(): void }) {
  return (
    <ConfirmChange
      title={text('keys.revokeTitle')}
      action={text('keys.revokeAction')}
      change={(api) => api.keys.delete(apiKey.id)}
      outdated={[keysKey, profileKey]}
      done={() => text('keys.revoked')}
      onClose={onClose}
    >
      <p>{text('keys.revokeAbout', { name: apiKey.name })}</p>
    </ConfirmChange>
  )
}
