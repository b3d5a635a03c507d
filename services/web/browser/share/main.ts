import '../page-style.css'
import './share.css'
import './share-page.css'
import '../keep-fragment.js'
import { listenToKeys } from '../keys/letter-keys.js'
import { loadViewer } from '../viewer/viewer-loader.js'
import { addActions } from './add-actions.js'
import { openAnnouncements } from './announcements.js'
import { countDown, showExpired } from './expiry.js'
import { showLocalTimes } from './local-times.js'
import { readShareSettings } from './share-settings.js'
import { syncHash, writeHash } from './sync-hash.js'

const loadMenus = () => import('./action-menus.js')

function openSharePage(host: HTMLElement, place: HTMLElement, expiry: HTMLElement): void {
  const settings = readShareSettings(host)
  const pageUrl = `${location.origin}${location.pathname}`
  const announce = openAnnouncements()
  showLocalTimes(document)
  const source = {
    rawPath: settings.raw_path,
    sizeBytes: settings.size_bytes,
    tool: settings.tool,
    headers: async () => ({}),
    pageUrl,
  }
  host.classList.add('viewer-paged')
  const viewer = loadViewer(host, source, {
    onLink: writeHash,
    onPart: (part) => actions.suit(part),
    isPrinted: true,
    isRemembered: true,
    items: async () => (await loadMenus()).pageItems(settings),
  })
  const actions = addActions(place, { settings, pageUrl, announce, shown: viewer.shown })
  if (settings.time_left_ms !== null) countDown(settings.time_left_ms, expiry, () => showExpired(place))
  syncHash(viewer)
  listenToKeys((key) => {
    if (key !== '?') return viewer.press(key)
    loadMenus()
      .then(({ openShortcuts }) => openShortcuts())
      .catch(() => undefined)
    return true
  })
}

const [host, actions, expiry] = ['share', 'actions', 'expiry'].map((id) => document.getElementById(id))
if (host && actions && expiry) openSharePage(host, actions, expiry)
