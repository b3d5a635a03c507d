import { createContext, type ReactNode, useContext, useEffect, useSyncExternalStore } from 'react'
import type { Session, SessionState } from './session.js'

const SessionContext = createContext<Session | null>(null)

const tickMs = 5_000

/** Lets everything inside know the session, and keeps it alive. */
export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  useEffect(() => {
    const timer = setInterval(() => session.tick(), tickMs)
    return () => clearInterval(timer)
  }, [session])
  return <SessionContext value={session}>{children}</SessionContext>
}

/** The session of this page. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('there is no session here')
  return session
}

/** Who is signed in, now and after each change. */
export function useSessionState(): SessionState {
  const session = useSession()
  return useSyncExternalStore(session.subscribe, session.state)
}
