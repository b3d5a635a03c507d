import { lazy, Suspense } from 'react'
import { text } from '../../texts/text.js'
import { ErrorBoundary } from './frame/error-boundary.js'
import { FrontPage } from './frame/front-page.js'
import { LoadingState } from './kit/states.js'
import type { Session } from './session/session.js'
import { SessionProvider, SignInPage, useSessionState } from './session/session-views.js'

/** Most of the script, which nobody who is signed out needs. */
const SignedIn = lazy(async () => ({ default: (await import('./signed-in.js')).SignedIn }))

function Starting() {
  return (
    <FrontPage>
      <h1 className="hidden">{text('frame.starting')}</h1>
      <LoadingState lines={3} />
    </FrontPage>
  )
}

function Gate() {
  const state = useSessionState()
  switch (state.kind) {
    case 'signed-in':
      return (
        <ErrorBoundary>
          <Suspense fallback={<Starting />}>
            <SignedIn name={state.name} />
          </Suspense>
        </ErrorBoundary>
      )
    case 'signed-out':
      return <SignInPage failure={state.failure} />
    case 'starting':
      return <Starting />
    default:
      return state satisfies never
  }
}

export function App({ session }: { session: Session }) {
  return (
    <SessionProvider session={session}>
      <Gate />
    </SessionProvider>
  )
}
