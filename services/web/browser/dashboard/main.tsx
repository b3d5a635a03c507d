import '../page-style.css'
import { createRoot } from 'react-dom/client'
import './styles/dashboard.css'
import './styles/front.css'
import './styles/kit.css'
import './styles/fields.css'
import './styles/lists.css'
import './styles/grid.css'
import './styles/pages.css'
import './styles/snippet.css'
import './styles/overlays.css'
import './styles/commands.css'
import { App } from './app.js'
import { browserSession } from './session/browser-session.js'

const host = document.getElementById('dashboard')
if (host !== null) {
  const session = browserSession()
  createRoot(host).render(<App session={session} />)
  void session.start()
}
