import '../page-style.css'
import '../share/share.css'
import './landing.css'
import { type Announce, openAnnouncements } from '../share/announcements.js'
import { copyCodeButton } from '../share/copy-code-button.js'
import { syncHash, writeHash } from '../share/sync-hash.js'
import { loadViewer } from '../viewer/viewer-loader.js'
import { openPasteBox } from './paste-box.js'

/** Opens the example as a share page opens its share. */
function openExample(host: HTMLElement): void {
  const { path = '', size, tool = '' } = host.dataset
  const source = {
    rawPath: path,
    sizeBytes: Number(size),
    tool,
    headers: async () => ({}),
    pageUrl: `${location.origin}${location.pathname}`,
  }
  syncHash(loadViewer(host, source, { onLink: writeHash }))
}

/** Adds a copy button to each line. */
function addCopyButtons(list: HTMLElement, announce: Announce): void {
  for (const item of list.querySelectorAll('li')) {
    const [what = '', line = ''] = ['h3', 'code'].map((name) => item.querySelector(name)?.textContent ?? '')
    item.querySelector('.command')?.append(copyCodeButton(line, what, announce))
  }
}

const [example, commands, paste, bar] = ['example', 'commands', 'paste', 'paste-bar'].map((id) =>
  document.getElementById(id),
)
const area = document.querySelector('textarea')
if (example) openExample(example)
const announce = openAnnouncements()
if (commands) addCopyButtons(commands, announce)
if (paste && area && bar) openPasteBox(paste, area, bar, announce)
