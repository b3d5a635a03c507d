import '../page-style.css'
import '../share/share.css'
import '../tools/tools.css'
import './tool-list.css'
import '../keep-fragment.js'
import { sharedInputName } from '#shared/core/tool-form-field.js'
import { text } from '../../texts/text.js'
import { adoptDraft } from '../tools/draft.js'
import { keepForOffline } from '../tools/offline.js'
import { recentTools } from '../tools/recent-tools.js'
import { element } from '../viewer/element.js'

/** Each tool as the server has listed it, by the path of its page. */
function listed(host: HTMLElement): ReadonlyMap<string, HTMLElement> {
  const items = [...host.querySelectorAll<HTMLElement>('.tools-item')]
  return new Map(items.map((item) => [item.querySelector('a')?.pathname ?? '', item]))
}

/** The tools used last in this browser; `null` if none was. */
function recentSection(tools: ReadonlyMap<string, HTMLElement>): HTMLElement | null {
  const links = recentTools(localStorage).flatMap((name) => {
    const title = tools.get(`/tools/${name}`)?.querySelector('a')?.textContent
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

/**
 * How well a tool fits a search, the best first: its whole title, the whole phrase in its title or among its words, or
 * each word somewhere; `null` if it lacks one.
 */
function rankOf(item: HTMLElement, search: string): number | null {
  const title = item.querySelector('a')?.textContent?.toLowerCase() ?? ''
  const words = item.dataset.words?.toLowerCase() ?? ''
  if (title === search) return 0
  if (title.includes(search)) return 1
  if (words.includes(search)) return 2
  const content = `${words} ${item.textContent}`.toLowerCase()
  return search.split(/\s+/).every((word) => content.includes(word)) ? 3 : null
}

/** Shows what fits a search, the best first, without its groups; everything in its group if there is none. */
function createFilter(host: HTMLElement, items: readonly HTMLElement[]): (search: string) => number {
  const groups = [...host.querySelectorAll<HTMLElement>('.tools-group')]
  const homes = items.map((item) => item.parentElement)
  const found = element('ul', 'tools-list tools-found')
  groups[0]?.before(found)
  return (search) => {
    for (const group of groups) group.hidden = search !== ''
    if (search === '') {
      for (const [index, item] of items.entries()) homes[index]?.append(item)
      return items.length
    }
    const ranked = items
      .flatMap((item) => {
        const rank = rankOf(item, search)
        return rank === null ? [] : [{ item, rank }]
      })
      .sort((one, other) => one.rank - other.rank)
    for (const item of found.querySelectorAll('.tools-item')) item.remove()
    found.append(...ranked.map(({ item }) => item))
    return ranked.length
  }
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
  const filter = createFilter(host, [...tools.values()])
  const field = element('input', {
    class: 'tool-field',
    attributes: { type: 'search', placeholder: text('tools.search'), 'aria-label': text('tools.search') },
  })
  const count = element('p', { class: 'tool-hint', attributes: { role: 'status' } })
  const recent = recentSection(tools)
  field.addEventListener('input', () => {
    const query = field.value.trim()
    const shown = filter(query.toLowerCase())
    if (query === '') count.textContent = ''
    else
      count.textContent = shown === 0 ? text('tools.none', { query }) : text('tools.found', { count: shown })
    if (recent !== null) recent.hidden = query !== ''
  })
  field.addEventListener('keydown', ({ key }) => {
    const first = field.value.trim() === '' ? '.tools-item a' : '.tools-found a'
    if (key === 'Enter') host.querySelector<HTMLElement>(first)?.click()
  })
  place.append(field, count)
  const shared = sharedNotice()
  if (shared !== null) place.before(shared)
  if (recent !== null) place.after(recent)
}

const [host, place] = ['tools', 'find'].map((id) => document.getElementById(id))
if (host && place) openList(host, place)
keepForOffline()
