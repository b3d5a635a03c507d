import { text } from '../../texts/text.js'
import type { Kind } from '../document/kinds/kind.js'
import { scriptAddress } from '../script-address.js'
import type { Announce } from '../share/announcements.js'
import { pageButton } from '../share/page-button.js'
import { takeDropsInto } from '../take-drops.js'
import { adoptDraft, hasDraft, putDraft } from '../tools/draft.js'
import { replaceText, takeLongPastes, textLengthMax } from '../tools/edited-text.js'
import { element } from '../viewer/element.js'
import { kindName } from '../viewer/kind-name.js'
import workerUrl from './detect-worker.ts?worker&url'
import type { Given } from './given.js'
import type { GivenSharing } from './share-given.js'

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
  takeDropsInto(host, ([file]) => file !== undefined && take(file))
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

/** Finds out what data is, in a worker, so that the page responds meanwhile; returns what ends that. */
function detect(given: Given, onFound: (kind: Kind) => void, onFailure: () => void): () => void {
  const worker = new Worker(scriptAddress(workerUrl), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<Kind>) => {
    worker.terminate()
    onFound(data)
  }
  worker.onerror = onFailure
  worker.postMessage(given)
  return () => worker.terminate()
}

/** Brings the field to life: it finds out what it is given, shares it, and offers the tools that take it. */
export function openPasteBox(
  host: HTMLElement,
  area: HTMLTextAreaElement,
  bar: HTMLElement,
  announce: Announce,
): void {
  const tools: readonly OfferedTool[] = JSON.parse(host.dataset.tools ?? '[]')
  /** What was given instead of being typed. */
  let file: Given | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop = (): void => undefined
  let loaded: Promise<GivenSharing> | null = null
  /** Whether it is to be shared as soon as it is known what it is. */
  let isWanted = false

  const sharing = (): Promise<GivenSharing> => {
    loaded ??= import('./share-given.js').then(({ openSharing }) => openSharing(announce))
    return loaded
  }
  const given = (): Given | null => {
    if (file !== null) return file
    return area.value === '' ? null : { data: new Blob([area.value]), name: null }
  }
  const said = element('span', { class: 'paste-kind', attributes: { role: 'status' } })
  const offers = element('span', 'paste-offers')
  const chooser = element('input', { attributes: { type: 'file', tabindex: '-1', 'aria-hidden': 'true' } })
  chooser.hidden = true
  const choose = pageButton('button', text('tool.chooseFile'), () => chooser.click())
  bar.append(choose, chooser, said, offers)

  const open = async (tool: OfferedTool): Promise<void> => {
    const data = given()
    if (data !== null) await openTool(tool, data)
  }
  const share = async (kind: Kind): Promise<void> => {
    const data = given()
    if (data !== null) await (await sharing()).share(data, kind)
  }
  const offer = (kind: Kind): void => {
    const press = (): void => void share(kind).catch(() => announce(text('tool.notKept')))
    const fitting = tools.filter((tool) => tool.kind === kind).slice(0, offeredMax)
    said.textContent = [file && (file.name ?? text('compare.pastedText')), kindName(kind)]
      .filter(Boolean)
      .join(' · ')
    offers.replaceChildren(
      pageButton('button first', text('tool.shareTo'), press),
      ...fitting.map((tool) =>
        pageButton(
          'button',
          tool.title,
          () => void open(tool).catch(() => announce(text('landing.notOpened'))),
        ),
      ),
    )
    if (isWanted) press()
    isWanted = false
  }
  const look = (): void => {
    const data = given()
    const fail = (): void => {
      isWanted = false
      announce(text('tool.notKept'))
    }
    if (data !== null) stop = detect(data, offer, fail)
  }
  /** What was found out is of other data. */
  const lookSoon = (): void => {
    clearTimeout(timer)
    stop()
    said.textContent = ''
    offers.replaceChildren()
    timer = setTimeout(look, typingMs)
  }
  const take = (data: Blob, name: string | null): void => {
    // As if it were deleted by keys, so that the browser can undo it.
    replaceText(area, '')
    file = { data, name }
    lookSoon()
  }

  const takeFile = (chosen: File): void => take(chosen, chosen.name)
  takeFiles(host, area, takeFile)
  takeLongPastes(area, (pasted) => take(new Blob([pasted]), null))
  chooser.addEventListener('change', () => {
    const chosen = chooser.files?.item(0)
    if (chosen) takeFile(chosen)
    chooser.value = ''
  })
  area.addEventListener('input', () => {
    file = null
    lookSoon()
  })
  const resume = async (): Promise<void> => {
    const back = await (await sharing()).resume()
    // What the reader has given meanwhile stays.
    if (back === null || given() !== null) return
    isWanted = true
    if (back.name !== null || back.data.size > textLengthMax) return take(back.data, back.name)
    replaceText(area, await back.data.text())
    lookSoon()
  }
  // What a browser has put back.
  lookSoon()
  if (hasDraft()) resume().catch(() => announce(text('tool.notRestored')))
}
