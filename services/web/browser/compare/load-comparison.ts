import './compare.css'
import type { DocumentReader } from '../document/document-reader.js'
import { element } from '../viewer/element.js'
import { loadShell } from '../viewer/load-shell.js'
import { type ViewerShell, viewerShell } from '../viewer/viewer-shell.js'
import type { ListedBreak } from './broken-changes.js'
import { changeSteps } from './change-steps.js'
import type { ChosenOptions } from './compare-options.js'
import { type ComparedSide, openComparison } from './open-comparison.js'
import type { OpenedComparison } from './read-comparison.js'
import { summaryLine } from './summary.js'

const rowRem = 2.2
const restRem = 6

/** Short comparisons do not fill a screen. */
function heightOf({ summary, as }: OpenedComparison['found']): number | null {
  const count = summary.added + summary.removed + summary.changed + summary.moved
  if (count > 20) return null
  return Math.max(14, restRem + count * rowRem * (as === 'json' ? 3 : 4))
}

async function comparisonShell(
  reader: DocumentReader<OpenedComparison>,
  opened: OpenedComparison,
): Promise<ViewerShell> {
  const summary = summaryLine(opened)
  const { views, found } = opened
  if (views.length === 0)
    return {
      element: element('div', 'comparison', summary),
      openFirst: async () => undefined,
      goTo: async () => false,
      find: async () => null,
      shown: () => null,
      focus: () => undefined,
      press: () => false,
      close: () => undefined,
    }
  const part = await reader.openPart(0, null)
  const steps = changeSteps((backwards) => shell.find({ text: '', backwards, isChange: true }))
  const shell = viewerShell({
    reader: part,
    asked: null,
    views,
    linkTo: () => null,
    onLink: () => undefined,
    partTools: () => steps.element,
  })
  const height = heightOf(found)
  if (height !== null) shell.element.style.setProperty('--content-height', `${height}rem`)
  const whole = element('div', 'comparison', summary, shell.element)
  const silence = steps.listen(whole)
  return {
    ...shell,
    element: whole,
    close() {
      silence()
      shell.close()
    },
  }
}

/** Lets keys go from change to change at once, unless someone is busy elsewhere. */
function focusView({ element: shown }: ViewerShell): void {
  const { activeElement, body } = document
  if (activeElement !== null && activeElement !== body) return
  const view = shown.querySelector<HTMLElement>('.viewer-panel:not([hidden]) [tabindex="0"]')
  view?.focus({ preventScroll: true })
}

/** Compares two documents in a worker and shows in `host` how they differ; changes that are `breaks` are marked. */
export function loadComparison(
  host: HTMLElement,
  sides: readonly [ComparedSide, ComparedSide],
  options: ChosenOptions,
  breaks: readonly ListedBreak[] = [],
): { close(): void } {
  return loadShell(host, {
    open: (onProgress) => openComparison(sides, options, breaks, onProgress),
    shellOf: comparisonShell,
    onShown: focusView,
  })
}
