import '../page-style.css'
import '../share/share.css'
import '../tools/tools.css'
import './tool-list.css'
import { sharedInputName } from '#shared/core/tool-form-field.js'
import { text } from '../../texts/text.js'
import { adoptDraft } from '../tools/draft.js'
import { keepForOffline } from '../tools/offline.js'
import { recentTools } from '../tools/recent-tools.js'
import { element } from '../viewer/element.js'

/** Each tool as the server has listed it, by name. */
function listed(host: HTMLElement): ReadonlyMap<string, HTMLElement> {
  const items = [...host.querySelectorAll<HTMLElement>('.tools-item')]
  return new Map(items.map((item) => [item.dataset.name ?? '', item]))
}

/** The tools used last in this browser; `null` if none was. */
function recentSection(tools: ReadonlyMap<string, HTMLElement>): HTMLElement | null {
  const links = recentTools(localStorage).flatMap((name) => {
    const title = tools.get(name)?.querySelector('a')?.textContent
    return title ? [element('a', { class: 'button', attributes: { href: `/tools/${name}` } }, title)] : []
  })
  if (links.length === 0) return null
  const heading = element('h2', { attributes: { id: 'recent-title' } }, text('tools.recent'))
  const attributes = { 'aria-labelledby': 'recent-title' }
  return element(
    'section',
    { class: 'tools-recent', attributes },
    heading,
    element('div', 'actions', ...links),
  )
}

/** Hides tools that lack a word of the search, and groups without tools. */
function filter(host: HTMLElement, tools: Iterable<readonly [string, HTMLElement]>, search: string): number {
  const words = search.toLowerCase().split(/\s+/)
  let shown = 0
  for (const [name, item] of tools) {
    const content = `${name} ${item.textContent}`.toLowerCase()
    item.hidden = !words.every((word) => content.includes(word))
    if (!item.hidden) shown += 1
  }
  for (const group of host.querySelectorAll<HTMLElement>('.tools-group'))
    group.hidden = group.querySelector('.tools-item:not([hidden])') === null
  return shown
}

/** Has the tool that is chosen next take what another app has shared; `null` if nothing was. */
function sharedNotice(): HTMLElement | null {
  const id = new URLSearchParams(location.hash.slice(1)).get(sharedInputName)
  if (id === null) return null
  adoptDraft(id)
  history.replaceState(history.state, '', location.pathname)
  return element('p', { class: 'note', attributes: { role: 'status' } }, text('tools.shared'))
}

function openList(host: HTMLElement, place: HTMLElement): void {
  const tools = listed(host)
  const field = element('input', {
    class: 'tool-field',
    attributes: { type: 'search', placeholder: text('tools.search'), 'aria-label': text('tools.search') },
  })
  const count = element('p', { class: 'tool-hint', attributes: { role: 'status' } })
  const recent = recentSection(tools)
  field.addEventListener('input', () => {
    const search = field.value.trim()
    const shown = filter(host, tools, search)
    count.textContent = search === '' ? '' : text('tools.found', { count: shown })
    if (recent !== null) recent.hidden = search !== ''
  })
  field.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') host.querySelector<HTMLElement>('.tools-item:not([hidden]) a')?.click()
  })
  place.append(field, count)
  const shared = sharedNotice()
  if (shared !== null) place.before(shared)
  if (recent !== null) place.after(recent)
}

const [host, place] = ['tools', 'find'].map((id) => document.getElementById(id))
if (host && place) openList(host, place)
keepForOffline()
