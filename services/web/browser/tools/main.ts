import '../page-style.css'
import '../share/share.css'
import './tool-about.css'
import './tool-file.css'
import './tool-panes.css'
import './tools.css'
import '../keep-fragment.js'
import { text } from '../../texts/text.js'
import { openAnnouncements } from '../share/announcements.js'
import { fileName } from '../share/file-name.js'
import { pageButton } from '../share/page-button.js'
import { element } from '../viewer/element.js'
import type { CopiedRun } from './copy-command.js'
import { chosenEncoding, offerEncoding, optionsForText } from './input-encoding.js'
import { type InputPane, inputPane } from './input-pane.js'
import { keepInput, keepOptions, keptInput, keptOptions } from './kept-input.js'
import type { FileReading } from './lines-around.js'
import { keepForOffline } from './offline.js'
import {
  fragmentOf,
  type OptionControls,
  type OptionValues,
  optionControls,
  optionsIn,
} from './option-values.js'
import { outputActions } from './output-actions.js'
import { outputPane } from './output-pane.js'
import { pageKeeping } from './page-keeping.js'
import { rememberTool } from './recent-tools.js'
import { openShortcuts } from './shortcuts.js'
import { exampleOptions, readToolSettings, type ToolSettings } from './tool-settings.js'
import { openToolSwitch } from './tool-switch.js'

/** After the last key, so that a worker is not started for each. */
const typingMs = 250

/** The elements that the server has rendered. */
interface PageElements {
  readonly host: HTMLElement
  readonly form: HTMLElement
  readonly area: HTMLTextAreaElement
  readonly editor: HTMLElement
  readonly pane: HTMLElement
  readonly result: HTMLElement
  readonly status: HTMLElement
  readonly actions: HTMLElement
  readonly caret: HTMLElement
}

function emptyNotice(onExample: () => void): HTMLElement {
  const example = pageButton('button', text('tool.tryExample'), onExample)
  return element('div', 'tool-empty', element('p', 'tool-hint', text('tool.empty')), example)
}

/** The name of the output as a file: that of the input with another extension. */
function outputName({ name, extension }: ToolSettings, inputName: string | null): string {
  const stem = inputName?.replace(/\.[^.]*$/, '') ?? name
  return fileName(stem, extension)
}

/** The options of a run on the input. */
function runOptions(options: OptionControls, input: InputPane): OptionValues {
  return input.input()?.name == null ? optionsForText(options.read()) : options.read()
}

/** How the tool reads an input that is shown as files are. */
function fileReading(
  { input_extension: extension }: ToolSettings,
  options: OptionControls,
  input: InputPane,
): FileReading {
  return { encoding: chosenEncoding(runOptions(options, input)), isXml: extension === 'xml' }
}

/** The run that the page shows. */
function copiedRun(settings: ToolSettings, options: OptionControls, input: InputPane): CopiedRun {
  const name = input.input()?.name ?? null
  return {
    baseUrl: settings.base_url,
    tool: settings.name,
    title: settings.title,
    options: runOptions(options, input),
    inputFile: name ?? `input.${settings.input_extension}`,
    outputFile: outputName(settings, name),
  }
}

function showOptions(options: OptionControls): void {
  history.replaceState(history.state, '', `${location.pathname}${fragmentOf(options.read())}`)
}

/** Keeps the text of the page for a reload, the next tool and the way back; a file is not kept. */
function keepInTab({ input_kind: kind, example }: ToolSettings, area: HTMLTextAreaElement): void {
  const isOwn = area.value !== '' && area.value !== example.input
  keepInput(sessionStorage, kind, isOwn ? area.value : null)
}

function openToolPage(elements: PageElements): void {
  const { host, form, area, editor, pane, result, status, actions, caret } = elements
  const settings = readToolSettings(host)
  const options = optionControls(document.getElementById('options'))
  const announce = openAnnouncements()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Whether the page has had an input: one that was opened and left keeps that of another tool. */
  let isUsed = false

  const run = (): void => {
    clearTimeout(timer)
    isUsed ||= input.input() !== null
    const given = input.input()
    input.mark(null)
    if (given === null) output.clear()
    else output.run({ tool: settings.name, options: runOptions(options, input), input: given.blob })
  }
  const runSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(run, typingMs)
  }
  const typed = (): void => {
    isUsed = true
    runSoon()
  }
  const tryExample = (): void => {
    options.write(exampleOptions(settings))
    showOptions(options)
    void input.take(settings.example.input)
  }
  const input = inputPane({
    ...{ area, editor, pane, caret },
    ...{ onExample: tryExample, onTyped: typed, onChange: run },
  })
  const output = outputPane({
    result,
    status,
    empty: emptyNotice(tryExample),
    settings,
    goTo: (position) => input.goTo(position, fileReading(settings, options, input)),
    lineAt: input.lineAt,
    onOutcome(outcome) {
      buttons.show(outcome)
      if (outcome === null) return
      input.mark(outcome.refusal?.position ?? null)
      offerEncoding(outcome.refusal?.code ?? null)
      rememberTool(localStorage, settings.name)
      keeping.onOutcome(outcome)
    },
  })
  const onOptions = (): void => showOptions(options)
  const keeping = pageKeeping({ settings, input, options, announce, onOptions })
  const buttons = outputActions({
    place: actions,
    announce,
    run: () => copiedRun(settings, options, input),
    onKeep: keeping.keep,
  })
  const follow = (): void => {
    options.write(optionsIn(location.hash))
    run()
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    run()
  })
  openShortcuts({ run, copy: buttons.copy, save: buttons.save }, () => announce(text('tool.notKept')))
  document.getElementById('options')?.addEventListener('input', () => {
    showOptions(options)
    runSoon()
  })
  addEventListener('hashchange', follow)
  document.querySelector('.skip')?.addEventListener('click', (event) => {
    // The fragment holds the options.
    event.preventDefault()
    area.focus()
  })
  addEventListener('pagehide', () => {
    keepOptions(sessionStorage, settings.name, options.read())
    if (isUsed) keepInTab(settings, area)
  })
  if (location.hash === '')
    history.replaceState(history.state, '', keptOptions(sessionStorage, settings.name))
  follow()
  offerEncoding(null)
  const restore = async (): Promise<void> => {
    await keeping.restore().catch(() => announce(text('tool.notRestored')))
    const kept = isUsed ? null : keptInput(sessionStorage, settings.input_kind)
    if (kept !== null) await input.take(kept)
  }
  void restore()
  keepForOffline()
}

const [host, form, editor, pane, result, status, actions, caret] = [
  'tool',
  'form',
  'editor',
  'input-pane',
  'result',
  'status',
  'actions',
  'caret',
].map((id) => document.getElementById(id))
const area = document.querySelector('textarea')
if (host && form && editor && pane && result && status && actions && caret && area)
  openToolPage({ host, form, area, editor, pane, result, status, actions, caret })
const others = document.getElementById('switch')
if (others instanceof HTMLDetailsElement) openToolSwitch(others)
