import { text } from '../../texts/text.js'
import type { Kind } from '../document/kinds/kind.js'
import { scriptAddress } from '../script-address.js'
import type { Announce } from '../share/announcements.js'
import { pageButton } from '../share/page-button.js'
import { adoptDraft, putDraft } from '../tools/draft.js'
import { element } from '../viewer/element.js'
import { kindName } from '../viewer/kind-name.js'
import workerUrl from './detect-worker.ts?worker&url'
import type { Given } from './given.js'

/** A tool, and the kind of text that it takes. */
interface OfferedTool {
  readonly name: string
  readonly title: string
  readonly kind: string
}

/** After the last key, so that not each of them is looked at. */
const typingMs = 200
const offeredMax = 4

function takeFiles(host: HTMLElement, area: HTMLTextAreaElement, take: (file: File) => void): void {
  document.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    host.classList.add('over')
  })
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) host.classList.remove('over')
  })
  document.addEventListener('drop', (event) => {
    host.classList.remove('over')
    const file = event.dataTransfer?.files.item(0)
    if (!file) return
    event.preventDefault()
    take(file)
  })
  area.addEventListener('paste', (event) => {
    const file = event.clipboardData?.files.item(0)
    if (!file) return
    event.preventDefault()
    take(file)
  })
}

/** Keeps the data for the tool, and goes there. */
async function openTool(tool: OfferedTool, { data, name }: Given): Promise<void> {
  adoptDraft(await putDraft({ tool: tool.name, options: [], input: data, name, purpose: null }))
  location.assign(`/tools/${tool.name}`)
}

/** What data is. A worker finds out, so that the page responds meanwhile. */
function detected(given: Given): Promise<Kind> {
  const worker = new Worker(scriptAddress(workerUrl), { type: 'module' })
  const found = new Promise<Kind>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Kind>) => resolve(data)
    worker.onerror = () => reject(new Error('the worker did not start'))
  })
  worker.postMessage(given)
  return found.finally(() => worker.terminate())
}

/** Brings the field to life: it finds out what it is given, and offers the tools that take it, which share it, too. */
export function openPasteBox(
  host: HTMLElement,
  area: HTMLTextAreaElement,
  bar: HTMLElement,
  announce: Announce,
): void {
  const tools: readonly OfferedTool[] = JSON.parse(host.dataset.tools ?? '[]')
  let file: File | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0

  const given = (): Given | null => {
    if (file !== null) return { data: file, name: file.name }
    return area.value === '' ? null : { data: new Blob([area.value]), name: null }
  }
  const said = element('span', { class: 'paste-kind', attributes: { role: 'status' } })
  const offers = element('span', 'paste-offers')
  const chooser = element('input', { attributes: { type: 'file', tabindex: '-1', 'aria-hidden': 'true' } })
  chooser.hidden = true
  const choose = pageButton('button', text('tool.chooseFile'), () => chooser.click())
  bar.append(choose, chooser, said, offers)

  const offer = (data: Given, kind: Kind): void => {
    const fitting = tools.filter((tool) => tool.kind === kind).slice(0, offeredMax)
    said.textContent = [file?.name, kindName(kind)].filter(Boolean).join(' · ')
    offers.replaceChildren(
      ...fitting.map((tool, index) =>
        pageButton(
          index === 0 ? 'button first' : 'button',
          tool.title,
          () => void openTool(tool, data).catch(() => announce(text('tool.noDraft'))),
        ),
      ),
    )
    if (fitting.length === 0) {
      const attributes = { href: '/dashboard/shares' }
      offers.append(element('a', { class: 'button', attributes }, text('landing.shareThere')))
    }
  }
  const look = async (): Promise<void> => {
    asked += 1
    const own = asked
    const data = given()
    if (data === null) {
      said.textContent = ''
      offers.replaceChildren()
      return
    }
    const kind = await detected(data)
    if (own === asked) offer(data, kind)
  }
  const lookSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void look().catch(() => announce(text('tool.notKept'))), typingMs)
  }
  const take = (chosen: File): void => {
    file = chosen
    area.value = ''
    lookSoon()
  }

  takeFiles(host, area, take)
  chooser.addEventListener('change', () => {
    const chosen = chooser.files?.item(0)
    if (chosen) take(chosen)
    chooser.value = ''
  })
  area.addEventListener('input', () => {
    file = null
    lookSoon()
  })
  // What a browser has put back.
  lookSoon()
}
