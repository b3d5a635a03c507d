import '../viewer/viewer.css'
import '../viewer/viewer-bar.css'
import type { ToolNote } from '#engine/tools/tool.js'
import type { InputPosition } from '#engine/tools/tool-input-error.js'
import { readableSize, type TextName, text } from '../../texts/text.js'
import type { DocumentReader, Progress } from '../document/document-reader.js'
import { workerReader } from '../document/worker-reader.js'
import { scriptAddress } from '../script-address.js'
import { pageButton } from '../share/page-button.js'
import { element } from '../viewer/element.js'
import { failureNotice, loadingNotice } from '../viewer/loading-notice.js'
import { suitableViews } from '../viewer/suitable-views.js'
import type { ViewName } from '../viewer/view.js'
import { viewerShell } from '../viewer/viewer-shell.js'
import { excerptOf } from './line-excerpt.js'
import type { OpenedOutput, Refusal, WantedRun } from './read-output.js'
import type { ToolSettings } from './tool-settings.js'
import workerUrl from './tool-worker.ts?worker&url'

/** Runs a tool in a worker of its own. Closing the reader ends it, also while it runs. */
function openRun(wanted: WantedRun, onProgress: (progress: Progress) => void): DocumentReader<OpenedOutput> {
  const worker = new Worker(scriptAddress(workerUrl), { type: 'module' })
  return workerReader({ worker, source: Promise.resolve(wanted), onProgress })
}

/** The right side of the page. */
interface OutputPane {
  /** Runs a tool and shows its output; what ran before is stopped. */
  run(wanted: WantedRun): void
  /** Stops, and shows nothing. */
  clear(): void
}

/** What `outputPane` needs of the page. */
interface OutputPaneParts {
  readonly result: HTMLElement
  readonly status: HTMLElement
  /** What is shown where there is no input. */
  readonly empty: HTMLElement
  readonly settings: Pick<ToolSettings, 'name' | 'kind'>
  /** Goes to a place of the input. */
  goTo(position: InputPosition): void
  /** The text of a line of the input, from 1; `null` if it is not at hand. */
  lineAt(line: number): string | null
  /** Called with each outcome, and with `null` as soon as it is outdated. */
  onOutcome(outcome: OpenedOutput | null): void
}

/** Faster runs show no progress. */
const quietMs = 150

/** The exact output first, for tables as such; never the JSON around it. */
function viewsOf(suitable: readonly ViewName[], kind: string): readonly ViewName[] {
  const own = suitable.filter((view) => view !== 'raw' && (view !== 'text' || !suitable.includes('source')))
  const first: ViewName = kind === 'csv' || kind === 'ndjson' ? 'table' : 'source'
  return [...own.filter((view) => view === first), ...own.filter((view) => view !== first)]
}

/** What tools say is in English, whatever the page's language is. */
const english = { lang: 'en' } as const

const hint = (name: TextName): HTMLElement => element('p', 'tool-hint', text(name))

/** Opens the views; the one that was chosen last, if there is such a one. */
async function openViews(
  reader: DocumentReader<OpenedOutput>,
  opened: OpenedOutput,
  kind: string,
  chosen: { view: ViewName | null },
) {
  const part = await reader.openPart(opened.firstPart, null)
  const labels: Partial<Record<ViewName, TextName>> = { source: 'tool.output' }
  return viewerShell({
    reader: part,
    asked: chosen.view,
    onView: (view) => {
      chosen.view = view
    },
    views: viewsOf(suitableViews(part.part), kind),
    labels,
    linkTo: () => null,
    onLink: () => undefined,
  })
}

function shownNote({ message, position }: ToolNote): HTMLElement {
  const place =
    position === null ? '' : `${text('tool.caret', { line: position.line, column: position.column })}: `
  return element('span', 'tool-note', ` ${place}`, element('span', { attributes: english }, message))
}

/** The line that is wrong, with a mark below the place. */
function wrongLine(line: string, column: number): HTMLElement {
  const { shown, before } = excerptOf(line, column)
  return element('pre', 'tool-wrong', `${shown}\n${before}^`)
}

function refusalNotice(
  { code, message, position }: Refusal,
  { settings, goTo, lineAt }: Pick<OutputPaneParts, 'settings' | 'goTo' | 'lineAt'>,
): HTMLElement {
  const notice = element(
    'div',
    'tool-refusal',
    element('p', { class: 'tool-reason', attributes: english }, message),
  )
  if (position === null) return notice
  const { line, column, pointer } = position
  const wrong = lineAt(line)
  if (wrong !== null) notice.append(wrongLine(wrong, column))
  if (pointer !== undefined && pointer !== '') notice.append(element('p', 'tool-pointer', pointer))
  const jump = pageButton('button', text('tool.goTo', { line }), () => goTo(position))
  const actions = element('div', 'actions', jump)
  // The tab keeps the input, so that it is there.
  if (code === 'json_invalid' && settings.name !== 'json-repair')
    actions.append(
      element('a', { class: 'button', attributes: { href: '/tools/json-repair' } }, text('tool.repair')),
    )
  notice.append(actions)
  return notice
}

/** Shows what runs make, each in the place of the one before once its first view is ready. */
export function outputPane(parts: OutputPaneParts): OutputPane {
  const { result, status, empty, settings, onOutcome } = parts
  const chosen: { view: ViewName | null } = { view: null }
  let running: DocumentReader<OpenedOutput> | null = null
  /** Ends the views that are shown, and their worker. */
  let closeShown = (): void => undefined

  const scroller = (): Element | null =>
    result.querySelector(
      ':scope > .viewer:not(.viewer-behind) > .viewer-panel:not([hidden]) > :is(.viewer-lines, .tree, .table, .diff)',
    )
  const stop = (): void => {
    running?.close()
    running = null
    onOutcome(null)
  }
  const replace = (content: HTMLElement, close = (): void => undefined): void => {
    const scrolled = scroller()?.scrollTop ?? 0
    closeShown()
    closeShown = close
    result.replaceChildren(content)
    result.classList.remove('outdated')
    // So that people who edit far down keep seeing that part of the output.
    scroller()?.scrollTo({ top: scrolled })
  }
  const sayOutcome = ({ refusal, notes, output }: OpenedOutput, startedAt: number): void => {
    const ms = Math.max(1, Math.round(performance.now() - startedAt))
    if (refusal === null) {
      status.textContent = text('tool.made', { size: readableSize(output.size), ms })
      for (const note of notes) status.append(shownNote(note))
    } else if (refusal.position === null) status.textContent = text('tool.refused')
    else
      status.textContent = text('tool.caret', {
        line: refusal.position.line,
        column: refusal.position.column,
      })
  }

  /** Prepares the views out of sight; `null` if something else runs by the time they are ready. */
  const readyViews = async (own: DocumentReader<OpenedOutput>, opened: OpenedOutput) => {
    const views = await openViews(own, opened, settings.kind, chosen)
    views.element.classList.add('viewer-behind')
    result.append(views.element)
    await views.openFirst()
    views.element.classList.remove('viewer-behind')
    if (running === own) return views
    views.close()
    views.element.remove()
    return null
  }
  const show = async (own: DocumentReader<OpenedOutput>, startedAt: number): Promise<void> => {
    const opened = await own.opened
    const hasViews = opened.refusal === null && !opened.isBinary
    const views = hasViews ? await readyViews(own, opened) : null
    if (running !== own) return own.close()
    running = null
    if (views === null) {
      own.close()
      const { refusal } = opened
      replace(refusal === null ? hint('tool.binary') : refusalNotice(refusal, parts))
    } else
      replace(views.element, () => {
        views.close()
        own.close()
      })
    sayOutcome(opened, startedAt)
    onOutcome(opened)
  }

  const run = (wanted: WantedRun): void => {
    stop()
    const startedAt = performance.now()
    result.classList.add('outdated')
    const loading = loadingNotice(() => {
      stop()
      replace(hint('tool.cancelled'))
      status.textContent = ''
    })
    const own = openRun(wanted, loading.show)
    running = own
    const timer = setTimeout(() => result.prepend(loading.element), quietMs)
    show(own, startedAt)
      .catch((error: unknown) => {
        if (running === own) replace(failureNotice(error, () => run(wanted)))
      })
      .finally(() => {
        clearTimeout(timer)
        loading.element.remove()
      })
  }

  replace(empty)
  return {
    run,
    clear() {
      stop()
      replace(empty)
      status.textContent = ''
    },
  }
}
