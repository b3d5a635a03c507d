import '../page-style.css'
import './share.css'
import { loadViewer } from '../viewer/viewer-loader.js'
import { addActions } from './add-actions.js'
import { openAnnouncements } from './announcements.js'
import { countDown, showExpired } from './expiry.js'
import { readShareSettings } from './share-settings.js'
import { syncHash, writeHash } from './sync-hash.js'

function openSharePage(host: HTMLElement, actions: HTMLElement, expiry: HTMLElement): void {
  const settings = readShareSettings(host)
  const pageUrl = `${location.origin}${location.pathname}`
  const announce = openAnnouncements()
  addActions(actions, settings, pageUrl, announce)
  if (settings.time_left_ms !== null) countDown(settings.time_left_ms, expiry, () => showExpired(actions))
  const source = {
    rawPath: settings.raw_path,
    sizeBytes: settings.size_bytes,
    tool: settings.tool,
    headers: async () => ({}),
    pageUrl,
  }
  syncHash(loadViewer(host, source, { onLink: writeHash, isPrinted: true }))
}

const [host, actions, expiry] = ['share', 'actions', 'expiry'].map((id) => document.getElementById(id))
if (host && actions && expiry) openSharePage(host, actions, expiry)
