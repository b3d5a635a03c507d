import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Router } from 'wouter'
import { Snipkeep } from '#sdk/exports.js'
import { ApiProvider } from './api/api-context.js'
import { clientOptions } from './api/client-options.js'
import { createQueryClient } from './api/query-client.js'
import { basePath, Frame } from './frame/frame.js'
import { OpenAccount } from './pages/profile/closed-page.js'
import { Routes } from './routes.js'
import { useSession } from './session/session-views.js'

/** Everything behind the sign-in. What it has cached goes with it when the user signs out. */
export function SignedIn({ name }: { name: string }) {
  const session = useSession()
  const [api] = useState(() => new Snipkeep(clientOptions(session)))
  const [queries] = useState(createQueryClient)
  return (
    <ApiProvider api={api}>
      <QueryClientProvider client={queries}>
        <OpenAccount>
          <Router base={basePath}>
            <Frame name={name}>
              <Routes />
            </Frame>
          </Router>
        </OpenAccount>
      </QueryClientProvider>
    </ApiProvider>
  )
}
