import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Router } from 'wouter'
import { text } from '../../texts/text.js'
import type { Api } from './api/api.js'
import { ApiProvider } from './api/api-context.js'
import { Brand } from './frame/brand.js'
import { basePath, Frame } from './frame/frame.js'
import { LoadingState } from './kit/states.js'
import { OpenAccount } from './pages/profile/closed-page.js'
import { Routes } from './routes.js'
import type { Session } from './session/session.js'
import { SessionProvider, SignInPage, useSessionState } from './session/session-views.js'

export interface AppParts {
  readonly session: Session
  readonly api: Api
  readonly queries: QueryClient
}

function Gate() {
  const state = useSessionState()
  switch (state.kind) {
    case 'signed-in':
      return (
        <OpenAccount>
          <Router base={basePath}>
            <Frame name={state.name}>
              <Routes />
            </Frame>
          </Router>
        </OpenAccount>
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
    default:
      return state satisfies never
  }
}

export function App({ session, api, queries }: AppParts) {
  return (
    <SessionProvider session={session}>
      <ApiProvider api={api}>
        <QueryClientProvider client={queries}>
          <Gate />
        </QueryClientProvider>
      </ApiProvider>
    </SessionProvider>
  )
}
