import {
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
} from 'react'
import { hasSingleKeys } from '../../keys/single-keys.js'
import type { Command } from './command.js'
import { commandOf, type KeyPress, noKeys } from './command-keys.js'
import { KeyHelp } from './key-help.js'
import { Palette } from './palette.js'

/** A dialog about all commands. */
export type CommandsDialog = ComponentType<{
  readonly commands: readonly Command[]
  onClose(): void
}>

type CommandPlace = 'page' | 'frame'

interface Registry {
  /** Adds commands until the returned function is called. */
  add(commands: () => readonly Command[], place: CommandPlace): () => void
  /** Those of the page before those of the frame, and the last added first: with a selection, keys mean all of it. */
  all(): readonly Command[]
  openPalette(): void
  openHelp(): void
}

const CommandsContext = createContext<Registry | null>(null)

/** All commands and the dialogs about them. */
export function useCommandRegistry(): Registry {
  const registry = useContext(CommandsContext)
  if (registry === null) throw new Error('there are no commands here')
  return registry
}

/** Offers these commands as long as the component is shown. */
export function useCommands(commands: readonly Command[], place: CommandPlace = 'page'): void {
  const { add } = useCommandRegistry()
  const current = useEffectEvent(() => commands)
  useEffect(() => add(() => current(), place), [add, place])
}

/** Where letters mean themselves: in fields, in menus, and in whatever lies above the page. */
const lettersOfTheirOwn =
  'input:not([type=checkbox],[type=radio]), textarea, select, [contenteditable=""], [role=menu], [role=listbox], [role=dialog], dialog'

function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null
  return target?.closest(lettersOfTheirOwn) != null || document.querySelector('.overlay, .popover') !== null
}

function pressOf({ key, timeStamp }: KeyboardEvent): KeyPress {
  return { key, atMs: timeStamp }
}

function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k'
}

/** Whether modifiers make it no key of its own. AltGr, which counts as Ctrl and Alt, writes `#` on many keyboards. */
function isModified(event: KeyboardEvent): boolean {
  return event.metaKey || ((event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph'))
}

/** Runs commands by their keys, and the palette by Ctrl-K or ⌘K wherever the focus is. */
function useKeys(registry: Registry): void {
  useEffect(() => {
    let before = noKeys
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      if (isPaletteKey(event)) {
        event.preventDefault()
        registry.openPalette()
        return
      }
      if (isModified(event) || event.key.length > 1 || isTaken(event) || !hasSingleKeys()) return
      const { command, pressed } = commandOf(registry.all(), before, pressOf(event))
      before = pressed
      if (command === null) return
      event.preventDefault()
      command.run()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [registry])
}

/** Provides commands to its children, and shows the palette and the list of keys. */
export function CommandProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<{
    readonly Found: CommandsDialog
    readonly commands: readonly Command[]
  } | null>(null)
  const registry = useMemo((): Registry => {
    const sources = { page: new Set<() => readonly Command[]>(), frame: new Set<() => readonly Command[]>() }
    const all = (): readonly Command[] =>
      [...[...sources.page].reverse(), ...sources.frame].flatMap((commands) => commands())
    return {
      add(commands, place) {
        sources[place].add(commands)
        return () => sources[place].delete(commands)
      },
      all,
      openPalette: () => setShown({ Found: Palette, commands: all() }),
      openHelp: () => setShown({ Found: KeyHelp, commands: all() }),
    }
  }, [])
  useKeys(registry)
  return (
    <CommandsContext value={registry}>
      {children}
      {shown !== null && <shown.Found commands={shown.commands} onClose={() => setShown(null)} />}
    </CommandsContext>
  )
}
