import { createRoot } from 'react-dom/client'
import './styles/dashboard.css'
import './styles/kit.css'
import './styles/fields.css'
import './styles/lists.css'
import './styles/pages.css'
import './styles/overlays.css'
import { createApi } from './api/api.js'
import { createQueryClient } from './api/query-client.js'
import { App } from './app.js'
import { browserSession } from './session/browser-session.js'

const host = document.getElementById('dashboard')
if (host !== null) {
  const session = browserSession()
  const queries = createQueryClient()
  // One user's cached responses must not be shown to the next.
  session.subscribe(() => {
    if (session.state().kind === 'signed-out') queries.clear()
  })
  createRoot(host).render(<App session={session} api={createApi(session)} queries={queries} />)
  void session.start()
}
