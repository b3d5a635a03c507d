import { type ReactNode, useEffect, useRef } from 'react'
import { RouterProvider } from 'react-aria-components'
import { useLocation } from 'wouter'
import { text } from '../../../texts/text.js'
import { EndingNotice } from '../session/session-views.js'
import { AccountMenu } from './account-menu.js'
import { ErrorBoundary } from './error-boundary.js'
import { Brand } from './front-page.js'
import { Navigation } from './navigation.js'
import { HasNavigated } from './page-heading.js'
import { ToastRegion } from './toast-region.js'
import { finishUndoable, leaveToasts } from './toasts.js'

export const basePath = '/dashboard'

function addressOf(path: string): string {
  return path.startsWith('/') ? `${basePath}${path}` : path
}

/** Whether this server has pages of tools: it says so where it renders the dashboard. */
function hasTools(): boolean {
  return document.getElementById('dashboard')?.dataset.tools === 'on'
}

/** The layout around every page for signed-in users. */
export function Frame({ name, children }: { name: string; children: ReactNode }) {
  const [path, navigate] = useLocation()
  const hasNavigated = useRef(false)
  useEffect(() => {
    addEventListener('pagehide', finishUndoable)
    return () => removeEventListener('pagehide', finishUndoable)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another page is open
  useEffect(leaveToasts, [path])
  return (
    <RouterProvider navigate={navigate} useHref={addressOf}>
      <HasNavigated value={hasNavigated}>
        <a className="skip" href="#content">
          {text('frame.skip')}
        </a>
        <div className="frame">
          <header className="frame-head">
            <Brand />
            <nav className="head-links" aria-label="Snipkeep">
              {hasTools() && <a href="/tools">{text('tools.title')}</a>}
              <a href="/docs">{text('docs.title')}</a>
            </nav>
            <AccountMenu name={name} />
          </header>
          <Navigation />
          <main className="frame-main" id="content" tabIndex={-1}>
            <EndingNotice />
            <ErrorBoundary key={path}>{children}</ErrorBoundary>
          </main>
        </div>
        <ToastRegion />
      </HasNavigated>
    </RouterProvider>
  )
}
