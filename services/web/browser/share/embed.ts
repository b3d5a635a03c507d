import '../page-style.css'
import './share.css'
import { loadViewer } from '../viewer/viewer-loader.js'
import { readShareSettings } from './share-settings.js'

/** The theme that the embedding page requests, regardless of the reader's own. */
function setTheme(theme: string | null): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
}

function openEmbeddedShare(host: HTMLElement, search: URLSearchParams): void {
  setTheme(search.get('theme'))
  const settings = readShareSettings(host)
  const source = {
    rawPath: settings.raw_path,
    sizeBytes: settings.size_bytes,
    headers: async () => ({}),
    tool: settings.tool,
    pageUrl: location.href.replace(/\/embed(?:[?#].*)?$/, ''),
  }
  const viewer = loadViewer(host, source, { view: search.get('view'), isPrinted: true })
  const pointer = search.get('pointer')
  if (pointer !== null && /^(\/|$)/.test(pointer))
    viewer.goTo({ kind: 'pointer', pointer }).catch(() => undefined)
}

const host = document.getElementById('share')
if (host) openEmbeddedShare(host, new URLSearchParams(location.search))
