import { type FoundHeading, findHeadings, type SearchedGuide } from '../../find-headings.js'
import { text } from '../../texts/text.js'
import { element } from '../viewer/element.js'

/**
 * The headings of all guides.
 * @throws Error when the request fails.
 */
async function fetchGuides(): Promise<readonly SearchedGuide[]> {
  const response = await fetch('/docs/headings.json')
  if (!response.ok) throw new Error(`/docs/headings.json returned ${response.status}`)
  return response.json()
}

function itemOf({ guide: { name, title }, heading }: FoundHeading): HTMLElement {
  const href = heading === null ? `/docs/${name}` : `/docs/${name}#${heading.id}`
  const link = element('a', { attributes: { href } }, heading?.text ?? title)
  return element('li', '', link, ...(heading === null ? [] : [' ', element('span', '', title)]))
}

/** Shows what the search finds while the reader types; where the headings do not load, the form stays as it is. */
export async function findAsYouType(field: HTMLInputElement, place: HTMLElement): Promise<void> {
  const guides = await fetchGuides()
  const [title, list] = [place.querySelector('h2'), place.querySelector('ol')]
  const show = (): void => {
    const asked = field.value.trim()
    const found = findHeadings(guides, asked)
    // A single letter finds nothing, and the reader is still typing.
    place.hidden = asked.length < 2
    if (title !== null)
      title.textContent =
        found.length === 0 ? text('docs.none', { asked }) : text('docs.found', { count: found.length, asked })
    list?.replaceChildren(...found.map(itemOf))
  }
  field.addEventListener('input', show)
  show()
}
