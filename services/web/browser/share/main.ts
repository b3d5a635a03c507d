import './share.css'
import { openViewer } from '../viewer/open-viewer.js'
import { addActions } from './add-actions.js'
import { openAnnouncements } from './announcements.js'
import { countDown, showExpired } from './expiry.js'
import { followPlaces, showPlace } from './follow-places.js'
import { readShareSettings } from './share-settings.js'

function openSharePage(host: HTMLElement, actions: HTMLElement, expiry: HTMLElement): void {
  const settings = readShareSettings(host)
  const pageUrl = `${location.origin}${location.pathname}`
  const announce = openAnnouncements()
  addActions(actions, settings, pageUrl, announce)
  if (settings.time_left_ms !== null) countDown(settings.time_left_ms, expiry, () => showExpired(actions))
  const source = {
    rawPath: settings.raw_path,
    sizeBytes: settings.size_bytes,
    headers: async () => ({}),
    pageUrl,
  }
  followPlaces(openViewer(host, source, { onPlace: showPlace }))
}

const [host, actions, expiry] = ['share', 'actions', 'expiry'].map((id) => document.getElementById(id))
if (host && actions && expiry) openSharePage(host, actions, expiry)
