import type { Profile } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useProfile } from '../../api/api-context.js'
import { PageHeading } from '../../frame/page-heading.js'
import { ApiDocsLink } from '../../kit/api-docs-link.js'
import { Button } from '../../kit/button.js'
import { ButtonLink } from '../../kit/button-link.js'
import { dayOf } from '../../kit/day-of.js'
import { Icon } from '../../kit/icon.js'
import { Loaded } from '../../kit/loaded.js'
import { useSession } from '../../session/session-views.js'
import { CloseAccount } from './close-account.js'
import { ExportPanel } from './export-panel.js'

/** Who is signed in. The issuer's picture is left out: nothing is loaded from other hosts. */
function Person({ profile }: { profile: Profile }) {
  const { name, email, email_verified: isVerified, id, plan, created_at: since } = profile
  return (
    <section className="panel" aria-label={text('frame.profile')}>
      <dl className="pairs pairs-wide">
        <div>
          <dt>{text('profile.name')}</dt>
          <dd>{name ?? <span className="quiet">{text('profile.noName')}</span>}</dd>
        </div>
        {email !== null && (
          <div>
            <dt>{text('profile.email')}</dt>
            <dd>
              {email}{' '}
              <span className="badge">{text(isVerified ? 'profile.verified' : 'profile.unverified')}</span>
            </dd>
          </div>
        )}
        <div>
          <dt>{text('frame.plan')}</dt>
          <dd>{text(`plan.${plan}`)}</dd>
        </div>
        <div>
          <dt>{text('profile.since')}</dt>
          <dd>{dayOf(since)}</dd>
        </div>
        <div>
          <dt>{text('profile.id')}</dt>
          <dd className="mono">{id}</dd>
        </div>
      </dl>
      <p className="hint">{text('profile.from')}</p>
    </section>
  )
}

/** The page at `/dashboard/profile`. */
export function ProfilePage() {
  const session = useSession()
  const profile = useProfile()
  return (
    <>
      <PageHeading title={text('frame.profile')}>
        <Button onPress={() => void session.signOut()}>
          <Icon name="out" />
          {text('session.signOut')}
        </Button>
      </PageHeading>
      <Loaded query={profile} lines={3}>
        {(loaded) => <Person profile={loaded} />}
      </Loaded>
      <ExportPanel />
      <div className="press-row">
        <ButtonLink href="/plan">{text('profile.toPlan')}</ButtonLink>
        <ApiDocsLink />
      </div>
      {profile.data !== undefined && <CloseAccount profile={profile.data} />}
    </>
  )
}
