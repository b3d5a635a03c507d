import { type ComponentType, lazy, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { LoadingState } from './kit/states.js'
import { NotFoundPage } from './pages/not-found-page.js'

/** A page whose script is loaded when it is first opened. */
function page(load: () => Promise<ComponentType>) {
  return lazy(async () => ({ default: await load() }))
}

const SnippetsPage = page(async () => (await import('./pages/snippets/snippets-page.js')).SnippetsPage)
const SnippetPage = page(async () => (await import('./pages/snippets/snippet-page.js')).SnippetPage)
const RevisionPage = page(async () => (await import('./pages/snippets/revision-page.js')).RevisionPage)
const SharesPage = page(async () => (await import('./pages/shares/shares-page.js')).SharesPage)
const ComparePage = page(async () => (await import('./pages/compare/compare-page.js')).ComparePage)
const HistoryPage = page(async () => (await import('./pages/history/history-page.js')).HistoryPage)
const KeysPage = page(async () => (await import('./pages/keys/keys-page.js')).KeysPage)
const CiPage = page(async () => (await import('./pages/ci/ci-page.js')).CiPage)
const EventsPage = page(async () => (await import('./pages/events/events-page.js')).EventsPage)
const ReportsPage = page(async () => (await import('./pages/operator/reports-page.js')).ReportsPage)
const AccountsPage = page(async () => (await import('./pages/operator/accounts-page.js')).AccountsPage)
const AccountPage = page(async () => (await import('./pages/operator/account-page.js')).AccountPage)
const ShareRecordPage = page(
  async () => (await import('./pages/operator/share-record-page.js')).ShareRecordPage,
)
const ActsPage = page(async () => (await import('./pages/operator/acts-page.js')).ActsPage)
const QueuesPage = page(async () => (await import('./pages/operator/queues-page.js')).QueuesPage)
const PlanPage = page(async () => (await import('./pages/plan/plan-page.js')).PlanPage)
const ProfilePage = page(async () => (await import('./pages/profile/profile-page.js')).ProfilePage)

/** The routes below `/dashboard`. */
export function Routes() {
  return (
    <Suspense fallback={<LoadingState />}>
      <Switch>
        <Route path="/">
          <Redirect to="/snippets" replace />
        </Route>
        <Route path="/snippets" component={SnippetsPage} />
        <Route path="/snippets/:id" component={SnippetPage} />
        <Route path="/snippets/:id/versions/:version" component={RevisionPage} />
        <Route path="/shares/:id?" component={SharesPage} />
        <Route path="/compare" component={ComparePage} />
        <Route path="/history" component={HistoryPage} />
        <Route path="/keys" component={KeysPage} />
        <Route path="/ci" component={CiPage} />
        <Route path="/events" component={EventsPage} />
        <Route path="/activity">
          <Redirect to="/events" replace />
        </Route>
        <Route path="/plan" component={PlanPage} />
        <Route path="/profile" component={ProfilePage} />
        <Route path="/operator" component={ReportsPage} />
        <Route path="/operator/accounts" component={AccountsPage} />
        <Route path="/operator/accounts/:id" component={AccountPage} />
        <Route path="/operator/shares/:id" component={ShareRecordPage} />
        <Route path="/operator/acts" component={ActsPage} />
        <Route path="/operator/queues" component={QueuesPage} />
        <Route component={NotFoundPage} />
      </Switch>
    </Suspense>
  )
}
