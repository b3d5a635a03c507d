import '../page-style.css'
import '../share/share.css'
import './landing.css'
import '../keep-fragment.js'
import { text } from '../../texts/text.js'
import { type Announce, openAnnouncements } from '../share/announcements.js'
import { copyCodeButton } from '../share/copy-code-button.js'
import { syncHash, writeHash } from '../share/sync-hash.js'
// Here, or it would be a script of its own.
import '../viewer/kind-name.js'
import { loadViewer } from '../viewer/viewer-loader.js'

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
const announce = openAnnouncements()
if (paste && area && bar)
  import('./paste-box.js')
    .then(({ openPasteBox }) => openPasteBox(paste, area, bar, announce))
    .catch(() => announce(text('tool.notKept')))
if (example) openExample(example)
if (commands) addCopyButtons(commands, announce)
