import { text } from '../../texts/text.js'
import type { Announce } from '../share/announcements.js'
import { type Purpose, takeDraft } from './draft.js'
import type { InputPane } from './input-pane.js'
import type { Keeping } from './keeping.js'
import type { OptionControls } from './option-values.js'
import type { OpenedOutput } from './read-output.js'
import type { ToolSettings } from './tool-settings.js'

/** Saving and sharing from the page. */
export interface PageKeeping {
  keep(purpose: Purpose, made: OpenedOutput): void
  /** Goes on where the page was when someone had to sign in, or with what was shared. */
  restore(): Promise<void>
  /** Call it with each outcome. */
  onOutcome(outcome: OpenedOutput): void
}

/** What is kept, and how the page is put back. */
export interface PageKeepingParts {
  readonly settings: ToolSettings
  readonly input: InputPane
  readonly options: OptionControls
  readonly announce: Announce
  /** Called once options have been put back. */
  onOptions(): void
}

/** Loads what signs in and uploads when it is first needed. */
export function pageKeeping({
  settings,
  input,
  options,
  announce,
  onOptions,
}: PageKeepingParts): PageKeeping {
  let loaded: Promise<Keeping> | null = null
  /** What someone wanted before the sign-in, once there is an output again. */
  let wanted: Purpose | null = null

  const keeping = (): Promise<Keeping> => {
    loaded ??= import('./keeping.js').then(({ openKeeping }) => openKeeping())
    return loaded
  }
  const keepNow = async (purpose: Purpose, { output }: OpenedOutput): Promise<void> => {
    const given = input.input()
    if (given === null) return
    const { name, title, extension } = settings
    const draft = { tool: name, options: options.read(), input: given.blob, name: given.name }
    const kept = { tool: name, key: extension, title: given.name ?? title, output, draft }
    await (await keeping()).keep(purpose, { ...kept, about: 'tool.sends' })
  }
  const keep = (purpose: Purpose, made: OpenedOutput): void => {
    keepNow(purpose, made).catch(() => announce(text('tool.notKept')))
  }

  return {
    keep,
    async restore() {
      const draft = await takeDraft(settings.name)
      if (draft === null) return
      options.write(draft.options)
      onOptions()
      if (draft.purpose !== null) await (await keeping()).resume()
      wanted = draft.purpose
      await input.take(draft.name === null ? await draft.input.text() : new File([draft.input], draft.name))
    },
    onOutcome(made) {
      if (wanted !== null && made.refusal === null) keep(wanted, made)
      wanted = null
    },
  }
}
