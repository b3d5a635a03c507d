import '../page-style.css'
import '../share/share.css'
import './landing.css'
import { openAnnouncements } from '../share/announcements.js'
import { copyCodeButton } from '../share/copy-code-button.js'
import { syncHash, writeHash } from '../share/sync-hash.js'
import { loadViewer } from '../viewer/viewer-loader.js'
import { fetchPlans, plansFailure, plansShown } from './show-plans.js'

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
function addCopyButtons(list: HTMLElement): void {
  const announce = openAnnouncements()
  for (const item of list.querySelectorAll('li')) {
    const [what = '', line = ''] = ['h3', 'code'].map((name) => item.querySelector(name)?.textContent ?? '')
    item.querySelector('.command')?.append(copyCodeButton(line, what, announce))
  }
}

async function showPlans(place: HTMLElement): Promise<void> {
  place.replaceChildren(...(await fetchPlans().then(plansShown, plansFailure)))
}

const [example, commands, plans] = ['example', 'commands', 'plans'].map((id) => document.getElementById(id))
if (example) openExample(example)
if (commands) addCopyButtons(commands)
if (plans) void showPlans(plans)
