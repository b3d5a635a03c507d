import { text } from '../../../../texts/text.js'
import { type ApiKey, keysKey, revokeKey } from '../../api/keys.js'
import { profileKey } from '../../api/profile.js'
import { ConfirmChange } from '../../frame/confirm-change.js'

/** Asks for confirmation and revokes a key. */
export function RevokeKeyDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; onClose(): void }) {
  return (
    <ConfirmChange
      title={text('keys.revokeTitle')}
      action={text('keys.revokeAction')}
      change={(api) => revokeKey(api, apiKey.id)}
      outdated={[keysKey, profileKey]}
      done={() => text('keys.revoked')}
      onClose={onClose}
    >
      <p>{text('keys.revokeAbout', { name: apiKey.name })}</p>
    </ConfirmChange>
  )
}
