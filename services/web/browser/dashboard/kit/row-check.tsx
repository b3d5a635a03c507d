import { text } from '../../../texts/text.js'
import { Icon } from './icon.js'
import type { Selection } from './selection.js'

/** Selects a record of a list; with Shift all from the last one that was selected. */
export function RowCheck({
  id,
  title,
  selection: { ids, toggle },
}: {
  readonly id: string
  readonly title: string
  readonly selection: Selection
}) {
  return (
    <label className="row-check">
      <input
        type="checkbox"
        aria-label={text('kit.select', { title })}
        checked={ids.has(id)}
        onChange={({ nativeEvent }) => toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      />
      <span className="check-box" aria-hidden="true">
        <Icon name="check" />
      </span>
    </label>
  )
}
