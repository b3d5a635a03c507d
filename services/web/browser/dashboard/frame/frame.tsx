import { type ReactNode, useEffect, useRef } from 'react'
import { RouterProvider } from 'react-aria-components'
import { useLocation } from 'wouter'
import { text } from '../../../texts/text.js'
import { Button } from '../kit/button.js'
import { Icon } from '../kit/icon.js'
import { isAppleKeyboard, Keys } from '../kit/keys.js'
import { Menu } from '../kit/menu.js'
import { EndingNotice, useSession } from '../session/session-views.js'
import type { Command } from './command.js'
import { CommandProvider, useCommandRegistry, useCommands } from './commands.js'
import { ErrorBoundary } from './error-boundary.js'
import { Brand } from './front-page.js'
import { Rail, Tabs } from './navigation.js'
import { OfflineBar } from './offline-bar.js'
import { HasNavigated } from './page-heading.js'
import {
  compareSection,
  outsidePages,
  planSection,
  profileSection,
  type Section,
  sectionGroups,
} from './sections.js'
import { ToastRegion } from './toast-region.js'
import { finishUndoable, leaveToasts } from './toasts.js'

const lastRequestsMs = 5_000

/** Sends what the user has done but could still undo, and waits a moment for it, because it needs the session. */
function finishBeforeSignOut(): Promise<void> {
  const moment = new Promise<void>((resolve) => {
    setTimeout(resolve, lastRequestsMs)
  })
  return Promise.race([finishUndoable({ isLeaving: true }), moment])
}

/** Who is signed in, and the button to sign out. */
function AccountMenu({ name }: { name: string }) {
  const session = useSession()
  return (
    <Menu
      label={text('frame.account', { name })}
      choices={[
        { id: 'profile', label: text('frame.profile'), icon: 'profile', href: '/profile' },
        {
          id: 'sign-out',
          label: text('session.signOut'),
          icon: 'out',
          onAction: () => void finishBeforeSignOut().then(() => session.signOut()),
        },
      ]}
    >
      <span className="avatar" data-letter={[...name][0]?.toLocaleUpperCase() ?? '?'} />
      <span className="account-name">{name}</span>
      <Icon name="down" />
    </Menu>
  )
}

export const basePath = '/dashboard'

function addressOf(path: string): string {
  return path.startsWith('/') ? `${basePath}${path}` : path
}

function commandOf({ path, name, icon, keys }: Section, open: (path: string) => void): Command {
  return { id: path, label: text(name), icon, ...(keys === undefined ? {} : { keys }), run: () => open(path) }
}

/** Opens every page, wherever one is. */
function useFrameCommands(): void {
  const [path, navigate] = useLocation()
  const openNew = (): void => {
    const query = new URLSearchParams(path === '/snippets' ? location.search : '')
    query.set('new', '')
    navigate(`/snippets?${query}`)
  }
  const registry = useCommandRegistry()
  const pages = [...sectionGroups.flat(), planSection, compareSection, profileSection]
  useCommands(
    [
      ...pages.map((page) => commandOf(page, navigate)),
      ...outsidePages().map((page) => commandOf(page, (path) => location.assign(path))),
      {
        id: 'new-snippet',
        label: text('snippets.new'),
        icon: 'plus',
        keys: 'c',
        run: openNew,
      },
      {
        id: 'search',
        label: text('command.find'),
        icon: 'search',
        keys: '/',
        run: () => registry.openPalette(),
      },
      { id: 'help', label: text('command.help'), icon: 'info', keys: '?', run: () => registry.openHelp() },
    ],
    'frame',
  )
}

/** Opens the palette. */
function FindButton() {
  const { openPalette } = useCommandRegistry()
  return (
    <Button size="small" onPress={openPalette}>
      <Icon name="search" />
      <span className="find-words">{text('command.find')}</span>
      <Keys keys={isAppleKeyboard() ? '⌘ K' : 'Ctrl K'} />
    </Button>
  )
}

/** What stands around the open page. */
function Layout({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const [path] = useLocation()
  useFrameCommands()
  return (
    <>
      <a className="skip" href="#content">
        {text('frame.skip')}
      </a>
      <div className="frame">
        <header className="frame-head">
          <Brand />
          <FindButton />
          <AccountMenu name={name} />
        </header>
        <OfflineBar />
        <Rail />
        <main className="frame-main" id="content" tabIndex={-1}>
          <EndingNotice />
          <ErrorBoundary key={path}>{children}</ErrorBoundary>
        </main>
        <Tabs />
      </div>
      <ToastRegion />
    </>
  )
}

/** The layout around every page for signed-in users. */
export function Frame({ name, children }: { name: string; children: ReactNode }) {
  const [path, navigate] = useLocation()
  const hasNavigated = useRef(false)
  useEffect(() => {
    const finish = (): void => void finishUndoable({ isLeaving: true })
    addEventListener('pagehide', finish)
    return () => removeEventListener('pagehide', finish)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another page is open
  useEffect(leaveToasts, [path])
  return (
    <RouterProvider navigate={navigate} useHref={addressOf}>
      <HasNavigated value={hasNavigated}>
        <CommandProvider>
          <Layout name={name}>{children}</Layout>
        </CommandProvider>
      </HasNavigated>
    </RouterProvider>
  )
}
