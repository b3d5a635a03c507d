import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Profile, TrustedPublisher } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { trustKey } from '../../api/query-keys.js'
import { useProfile } from '../../api/use-profile.js'
import { ConfirmChange } from '../../frame/confirm-change.js'
import { PageHeading } from '../../frame/page-heading.js'
import { ApiDocsLink } from '../../kit/api-docs-link.js'
import { Button } from '../../kit/button.js'
import { ButtonLink } from '../../kit/button-link.js'
import { Icon } from '../../kit/icon.js'
import { Notice } from '../../kit/notice.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { EmptyState, LoadingState } from '../../kit/states.js'
import { NewRuleDialog } from './new-rule-dialog.js'
import { RuleRow } from './rule-row.js'

function NoRules({ isPro, onNew }: { readonly isPro: boolean; onNew(): void }) {
  const upgrade = <ButtonLink href="/plan">{text('keys.upgrade')}</ButtonLink>
  return (
    <EmptyState
      icon="ci"
      title={text(isPro ? 'ci.none' : 'ci.proTitle')}
      action={isPro ? <Button onPress={onNew}>{text('ci.new')}</Button> : upgrade}
    >
      {text(isPro ? 'ci.noneAbout' : 'ci.proAbout')}
    </EmptyState>
  )
}

function Rules({
  profile,
  rules,
  onNew,
}: {
  readonly profile: Profile
  readonly rules: readonly TrustedPublisher[]
  onNew(): void
}) {
  const [deleting, setDeleting] = useState<TrustedPublisher | null>(null)
  const isPro = profile.plan === 'pro'
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
      <ul className="rows" aria-label={text('ci.list')}>
        {rules.map((rule) => (
          <li className="row" key={rule.id}>
            <RuleRow rule={rule} onDelete={setDeleting} />
          </li>
        ))}
      </ul>
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
  const api = useApi()
  const profile = useProfile({ isFresh: true })
  const found = useQuery({
    queryKey: trustKey,
    queryFn: ({ signal }) => api.trustedPublishers.list({ signal }),
  })
  const [isNew, setNew] = useState(false)
  const error = profile.error ?? found.error
  const retry = (): void => {
    void profile.refetch()
    void found.refetch()
  }
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
      {profile.data !== undefined && found.data !== undefined ? (
        <Rules profile={profile.data} rules={found.data.trusted_publishers} onNew={() => setNew(true)} />
      ) : error !== null ? (
        <ProblemNotice error={error} onRetry={retry} />
      ) : (
        <LoadingState lines={3} />
      )}
      {isNew && found.data !== undefined && (
        <NewRuleDialog issuers={found.data.issuers} onClose={() => setNew(false)} />
      )}
    </>
  )
}
