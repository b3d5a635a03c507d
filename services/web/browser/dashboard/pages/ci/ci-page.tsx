import { useState } from 'react'
import type { TrustedPublisher } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApiQuery, useProfile } from '../../api/api-context.js'
import { trustKey } from '../../api/query-keys.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { PageHeading } from '../../frame/page-heading.js'
import { Button } from '../../kit/button.js'
import { ApiDocsLink, ButtonLink } from '../../kit/button-link.js'
import { Icon } from '../../kit/icon.js'
import { Loaded, together } from '../../kit/loaded.js'
import { Notice } from '../../kit/notice.js'
import { Rows } from '../../kit/record-list.js'
import { EmptyState } from '../../kit/states.js'
import { NewRuleDialog } from './new-rule-dialog.js'
import { RuleRow } from './rule-row.js'

function NoRules({ isPro, onNew }: { readonly isPro: boolean; onNew(): void }) {
  const upgrade = <ButtonLink href="/plan">{text('keys.upgrade')}</ButtonLink>
  return (
    <EmptyState
      icon="ci"
      title={text(isPro ? 'ci.none' : 'ci.proTitle')}
      action={isPro ? <Button onPress={onNew}>{text('ci.new')}</Button> : upgrade}
      about={text(isPro ? 'ci.noneAbout' : 'ci.proAbout')}
    />
  )
}

function Rules({
  isPro,
  rules,
  onNew,
}: {
  readonly isPro: boolean
  readonly rules: readonly TrustedPublisher[]
  onNew(): void
}) {
  const [deleting, setDeleting] = useState<TrustedPublisher | null>(null)
  if (rules.length === 0) return <NoRules isPro={isPro} onNew={onNew} />
  return (
    <>
      {!isPro && (
        <Notice>
          <p>{text('ci.asleep')}</p>
          <ButtonLink href="/plan" size="small">
            {text('keys.upgrade')}
          </ButtonLink>
        </Notice>
      )}
      <Rows items={rules} label={text('ci.list')}>
        {(rule) => <RuleRow rule={rule} onDelete={setDeleting} />}
      </Rows>
      {deleting !== null && (
        <ConfirmChange
          title={text('ci.deleteTitle')}
          action={text('ci.deleteAction')}
          change={(api) => api.trustedPublishers.delete(deleting.id)}
          outdated={[trustKey]}
          done={() => text('ci.deleted')}
          onClose={() => setDeleting(null)}
        >
          <p>{text('ci.deleteAbout', { name: deleting.name })}</p>
        </ConfirmChange>
      )}
    </>
  )
}

/** The page at `/dashboard/ci`. */
export function CiPage() {
  const profile = useProfile({ isFresh: true })
  const found = useApiQuery(trustKey, (api, options) => api.trustedPublishers.list(options))
  const [isNew, setNew] = useState(false)
  return (
    <>
      <PageHeading title={text('frame.ci')} about={text('ci.about')}>
        <ApiDocsLink />
        {profile.data?.plan === 'pro' && found.data !== undefined && (
          <Button variant="primary" onPress={() => setNew(true)}>
            <Icon name="plus" />
            {text('ci.new')}
          </Button>
        )}
      </PageHeading>
      <Loaded query={together({ profile, found })} lines={3}>
        {({ profile: { plan }, found: { trusted_publishers: rules } }) => (
          <Rules isPro={plan === 'pro'} rules={rules} onNew={() => setNew(true)} />
        )}
      </Loaded>
      {isNew && found.data !== undefined && (
        <NewRuleDialog issuers={found.data.issuers} onClose={() => setNew(false)} />
      )}
    </>
  )
}
