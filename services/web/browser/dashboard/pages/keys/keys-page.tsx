import { useState } from 'react'
import type { ApiKey, CreatedApiKey, Profile } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApiQuery, useProfile } from '../../api/api-context.js'
import { keysKey, profileKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { PageHeading } from '../../frame/page-heading.js'
import { Button } from '../../kit/button.js'
import { ApiDocsLink, ButtonLink } from '../../kit/button-link.js'
import { Icon } from '../../kit/icon.js'
import { Loaded, together } from '../../kit/loaded.js'
import { Notice } from '../../kit/notice.js'
import { Rows } from '../../kit/record-list.js'
import { EmptyState } from '../../kit/states.js'
import { CreateKeyDialog } from './create-key-dialog.js'
import { CreatedKeyDialog } from './created-key-dialog.js'
import { KeyRow } from './key-row.js'
import { RotateKeyDialog } from './rotate-key-dialog.js'

/** Asks for confirmation and revokes a key. */
function RevokeKeyDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; onClose(): void }) {
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

function NoKeys({ isPro, onNew }: { readonly isPro: boolean; onNew(): void }) {
  const upgrade = <ButtonLink href="/plan">{text('keys.upgrade')}</ButtonLink>
  return (
    <EmptyState
      icon="keys"
      title={text(isPro ? 'keys.none' : 'keys.proTitle')}
      action={isPro ? <Button onPress={onNew}>{text('keys.new')}</Button> : upgrade}
      about={text(isPro ? 'keys.noneAbout' : 'keys.proAbout')}
    />
  )
}

function Room({ limit, used }: { readonly limit: number; readonly used: number }) {
  return (
    <p className="quiet room">
      {used >= limit ? text('keys.full', { limit }) : text('keys.used', { used, limit })}
    </p>
  )
}

function Keys({
  profile,
  keys,
  onNew,
  onRotated,
}: {
  readonly profile: Profile
  readonly keys: readonly ApiKey[]
  onNew(): void
  onRotated(key: CreatedApiKey): void
}) {
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const [rotating, setRotating] = useState<ApiKey | null>(null)
  const isPro = profile.plan === 'pro'
  const limit = profile.limits.api_keys
  if (keys.length === 0) return <NoKeys isPro={isPro} onNew={onNew} />
  return (
    <>
      {!isPro && (
        <Notice>
          <p>{text('keys.disabled')}</p>
          <ButtonLink href="/plan" size="small">
            {text('keys.upgrade')}
          </ButtonLink>
        </Notice>
      )}
      {isPro && limit !== null && <Room limit={limit} used={keys.length} />}
      <Rows items={keys} label={text('keys.list')}>
        {(key) => <KeyRow apiKey={key} onRotate={isPro ? setRotating : null} onRevoke={setRevoking} />}
      </Rows>
      {rotating !== null && (
        <RotateKeyDialog
          apiKey={rotating}
          onRotated={(key) => {
            setRotating(null)
            onRotated(key)
          }}
          onClose={() => setRotating(null)}
        />
      )}
      {revoking !== null && <RevokeKeyDialog apiKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  )
}

/** The page at `/dashboard/keys`. */
export function KeysPage() {
  const profile = useProfile({ isFresh: true })
  const keys = useApiQuery(keysKey, (api, options) => api.keys.list(options))
  const [step, setStep] = useState<'list' | 'create' | CreatedApiKey>('list')
  const isFull = keys.data !== undefined && keys.data.length >= (profile.data?.limits.api_keys ?? 0)
  const canMake = profile.data?.plan === 'pro' && (!isFull || profile.data.limits.api_keys === null)
  return (
    <>
      <PageHeading title={text('frame.keys')} about={text('keys.about')}>
        <ApiDocsLink />
        {canMake && (
          <Button variant="primary" onPress={() => setStep('create')}>
            <Icon name="plus" />
            {text('keys.new')}
          </Button>
        )}
      </PageHeading>
      <Loaded query={together({ profile, keys })} lines={3}>
        {(loaded) => <Keys {...loaded} onNew={() => setStep('create')} onRotated={setStep} />}
      </Loaded>
      {step === 'create' && <CreateKeyDialog onCreated={setStep} onClose={() => setStep('list')} />}
      {typeof step === 'object' && <CreatedKeyDialog created={step} onClose={() => setStep('list')} />}
    </>
  )
}
