import { type ComponentType, lazy, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { LoadingState } from './kit/states.js'
import { NotFoundPage } from './pages/not-found-page.js'

/** A page whose script is loaded when it is first opened. */
function page(load: () => Promise<ComponentType>) {
  return lazy(async () => ({ default: await load() }))
}

const pages = {
  '/snippets': page(async () => (await import('./pages/snippets/snippets-page.js')).SnippetsPage),
  '/snippets/:id': page(async () => (await import('./pages/snippets/snippet-page.js')).SnippetPage),
  '/checks/:id': page(async () => (await import('./pages/checks/check-page.js')).CheckPage),
  '/snippets/:id/versions/:version': page(
    async () => (await import('./pages/snippets/revision-page.js')).RevisionPage,
  ),
  '/shares/:id?': page(async () => (await import('./pages/shares/shares-page.js')).SharesPage),
  '/compare': page(async () => (await import('./pages/compare/compare-page.js')).ComparePage),
  '/history': page(async () => (await import('./pages/history/history-page.js')).HistoryPage),
  '/keys': page(async () => (await import('./pages/keys/keys-page.js')).KeysPage),
  '/ci': page(async () => (await import('./pages/ci/ci-page.js')).CiPage),
  '/events': page(async () => (await import('./pages/events/events-page.js')).EventsPage),
  '/plan': page(async () => (await import('./pages/plan/plan-page.js')).PlanPage),
  '/profile': page(async () => (await import('./pages/profile/profile-page.js')).ProfilePage),
  '/operator': page(async () => (await import('./pages/operator/reports-page.js')).ReportsPage),
  '/operator/accounts': page(async () => (await import('./pages/operator/accounts-page.js')).AccountsPage),
  '/operator/accounts/:id': page(async () => (await import('./pages/operator/account-page.js')).AccountPage),
  '/operator/shares/:id': page(
    async () => (await import('./pages/operator/share-record-page.js')).ShareRecordPage,
  ),
  '/operator/acts': page(async () => (await import('./pages/operator/acts-page.js')).ActsPage),
  '/operator/queues': page(async () => (await import('./pages/operator/queues-page.js')).QueuesPage),
}

/** The routes below `/dashboard`. */
export function Routes() {
  return (
    <Suspense fallback={<LoadingState />}>
      <Switch>
        <Route path="/">
          <Redirect to="/snippets" replace />
        </Route>
        <Route path="/activity">
          <Redirect to="/events" replace />
        </Route>
        {Object.entries(pages).map(([path, Page]) => (
          <Route key={path} path={path} component={Page} />
        ))}
        <Route component={NotFoundPage} />
      </Switch>
    </Suspense>
  )
}
