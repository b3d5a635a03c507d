import { type ReactNode, useEffect, useRef } from 'react'
import {
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastRegion as AriaToastRegion,
  RouterProvider,
  Text,
  UNSTABLE_ToastContent as ToastContent,
} from 'react-aria-components'
import { Link, useLocation } from 'wouter'
import { type TextName, text } from '../../../texts/text.js'
import { useProfile } from '../api/api-context.js'
import { Button } from '../kit/button.js'
import { Icon, type IconName } from '../kit/icon.js'
import { Menu } from '../kit/menu.js'
import { EndingNotice, useSession } from '../session/session-views.js'
import { ErrorBoundary } from './error-boundary.js'
import { Brand } from './front-page.js'
import { HasNavigated } from './page-heading.js'
import { finishUndoable, leaveToasts, toastQueue } from './toasts.js'

/** A section in the navigation. */
interface Section {
  readonly path: string
  readonly name: TextName
  readonly icon: IconName
}

/** In the order shown. */
const sections: readonly Section[] = [
  { path: '/snippets', name: 'frame.snippets', icon: 'snippets' },
  { path: '/shares', name: 'frame.shares', icon: 'shares' },
  { path: '/history', name: 'frame.history', icon: 'history' },
  { path: '/keys', name: 'frame.keys', icon: 'keys' },
  { path: '/ci', name: 'frame.ci', icon: 'ci' },
  { path: '/events', name: 'frame.events', icon: 'events' },
  { path: '/plan', name: 'frame.plan', icon: 'plan' },
  { path: '/profile', name: 'frame.profile', icon: 'profile' },
]

/** Shown to operators only, after the others. */
const operatorSection: Section = { path: '/operator', name: 'frame.operator', icon: 'operator' }

/** Who is signed in, and the button to sign out. */
function AccountMenu({ name }: { name: string }) {
  const session = useSession()
  return (
    <Menu
      label={text('frame.account', { name })}
      choices={[
        { id: 'profile', label: text('frame.profile'), icon: 'profile', href: '/profile' },
        { id: 'plan', label: text('frame.plan'), icon: 'plan', href: '/plan' },
        {
          id: 'sign-out',
          label: text('session.signOut'),
          icon: 'out',
          onAction: () => {
            finishUndoable()
            void session.signOut()
          },
        },
      ]}
    >
      <span className="avatar" data-letter={[...name][0]?.toLocaleUpperCase() ?? '?'} />
      <span className="account-name">{name}</span>
      <Icon name="down" />
    </Menu>
  )
}

/** Links to all sections: beside the page, or below it on narrow screens. */
function Navigation() {
  const [path] = useLocation()
  const isOperator = useProfile().data?.operator === true
  const shown = isOperator ? [...sections, operatorSection] : sections
  return (
    <nav className="nav" aria-label={text('frame.sections')}>
      <ul>
        {shown.map(({ path: section, name, icon }) => {
          const isHere = path === section || path.startsWith(`${section}/`)
          return (
            <li key={section}>
              <Link href={section} className="nav-link" aria-current={isHere ? 'page' : undefined}>
                <Icon name={icon} />
                <span>{text(name)}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/**
 * Shows toasts. The region is a landmark, reached by F6; its timers stop while it has focus or the pointer.
 * Its name includes the number of toasts, because it is only exposed as a landmark when its name changes.
 */
function ToastRegion() {
  return (
    <AriaToastRegion queue={toastQueue} className="toasts">
      {({ toast }) => (
        <AriaToast toast={toast} className="toast">
          <ToastContent className="toast-content">
            <Text slot="title">{toast.content.message}</Text>
          </ToastContent>
          {toast.content.undo !== null && (
            <Button variant="quiet" size="small" onPress={toast.content.undo}>
              {text('kit.undo')}
            </Button>
          )}
          <Button slot="close" variant="quiet" size="icon" aria-label={text('kit.close')}>
            <Icon name="close" />
          </Button>
        </AriaToast>
      )}
    </AriaToastRegion>
  )
}

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
