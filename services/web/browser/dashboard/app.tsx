import { lazy, Suspense } from 'react'
import { text } from '../../texts/text.js'
import { Brand } from './frame/brand.js'
import { ErrorBoundary } from './frame/error-boundary.js'
import { LoadingState } from './kit/states.js'
import type { Session } from './session/session.js'
import { SessionProvider, SignInPage, useSessionState } from './session/session-views.js'

/** Most of the script, which nobody who is signed out needs. */
const SignedIn = lazy(async () => ({ default: (await import('./signed-in.js')).SignedIn }))

function Starting() {
  return (
    <div className="front">
      <header>
        <Brand />
      </header>
      <main className="sign-in">
        <h1 className="hidden">{text('frame.starting')}</h1>
        <LoadingState lines={3} />
      </main>
    </div>
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
      return (
        <div className="front">
          <header>
            <Brand />
          </header>
          <SignInPage failure={state.failure} />
        </div>
      )
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
