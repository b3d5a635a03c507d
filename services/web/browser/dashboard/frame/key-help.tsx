import { text } from '../../../texts/text.js'
import { hasSingleKeys } from '../../keys/single-keys.js'
import { Dialog } from '../kit/dialog.js'
import { isAppleKeyboard, Keys } from '../kit/keys.js'
import type { Command } from './command.js'

/** The list of all keys. */
export function KeyHelp({ commands, onClose }: { readonly commands: readonly Command[]; onClose(): void }) {
  const palette = { keys: isAppleKeyboard() ? '⌘ K' : 'Ctrl K', label: text('command.find') }
  const named = commands.flatMap(({ keys, label }) => (keys === undefined ? [] : [{ keys, label }]))
  // The first of several with the same keys is the one that they run.
  const shown = new Map([palette, ...named.toReversed()].map((one) => [one.keys, one.label]))
  return (
    <Dialog title={text('command.help')} isOpen onClose={onClose}>
      <dl className="key-list">
        {[...shown].map(([keys, label]) => (
          <div key={keys}>
            <dt>{label}</dt>
            <dd>
              <Keys keys={keys} />
              <span className="hidden">{keys}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className="hint">{text(hasSingleKeys() ? 'command.canBeOff' : 'command.areOff')}</p>
    </Dialog>
  )
}
