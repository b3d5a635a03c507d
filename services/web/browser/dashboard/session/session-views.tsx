import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { text } from '../../../texts/text.js'
import { FrontPage } from '../frame/front-page.js'
import { Button } from '../kit/button.js'
import { Notice } from '../kit/notice.js'
import type { SignInFailure } from './issuer-client.js'
import type { Session, SessionState } from './session.js'

const SessionContext = createContext<Session | null>(null)

const tickMs = 5_000

/** Provides the session to its children, and keeps it alive. */
export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  useEffect(() => {
    const timer = setInterval(() => session.tick(), tickMs)
    return () => clearInterval(timer)
  }, [session])
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('there is no session here')
  return session
}

/** The session's status, updated on every change. */
export function useSessionState(): SessionState {
  const session = useSession()
  return useSyncExternalStore(session.subscribe, session.state)
}

/** Warns that the session is about to end when only signing in again helps. */
export function EndingNotice() {
  const session = useSession()
  const state = useSessionState()
  if (state.kind !== 'signed-in' || state.endsAtMs === null) return null
  return (
    <Notice tone="warning">
      {text('session.ending')}{' '}
      <Button variant="quiet" onPress={() => void session.signIn()}>
        {text('session.signInAgain')}
      </Button>
    </Notice>
  )
}

/** What a signed-out visitor sees. */
export function SignInPage({ failure }: { failure: SignInFailure | null }) {
  const session = useSession()
  const [isLeaving, setLeaving] = useState(false)
  const hopeless = failure === 'not-configured' || failure === 'insecure'
  const leave = (): void => {
    setLeaving(true)
    void session.signIn().finally(() => setLeaving(false))
  }
  return (
    <FrontPage>
      <h1>{text('session.title')}</h1>
      <p className="quiet">{text('session.about')}</p>
      {failure !== null && <Notice tone="warning">{text(`session.${failure}`)}</Notice>}
      {!hopeless && (
        <Button variant="primary" isPending={isLeaving} onPress={leave}>
          {text('session.signIn')}
        </Button>
      )}
    </FrontPage>
  )
}
