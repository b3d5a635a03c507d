import { text } from '../../../texts/text.js'
import { useCommands } from '../frame/commands.js'
import { focusHeading } from '../frame/page-heading.js'
import { Button } from './button.js'
import { Icon, type IconName } from './icon.js'
import { Keys } from './keys.js'

/** Something to do with all that is selected. */
export interface BulkAction {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  readonly keys: string
  readonly tone?: 'danger'
  run(): void
}

/** What can be done with the selection of a list, floating above its end. */
export function BulkBar({
  count,
  actions,
  onClear,
}: {
  readonly count: number
  readonly actions: readonly BulkAction[]
  onClear(): void
}) {
  useCommands(actions)
  const clear = (): void => {
    onClear()
    focusHeading()
  }
  return (
    <section className="bulk-bar" aria-label={text('kit.selection')}>
      <span className="bulk-count">{text('kit.selected', { count })}</span>
      {actions.map(({ id, label, icon, keys, tone, run }) => (
        <Button
          key={id}
          size="small"
          variant="quiet"
          {...(tone === 'danger' ? { 'data-tone': tone } : {})}
          onPress={run}
        >
          <Icon name={icon} />
          {label}
          <Keys keys={keys} />
        </Button>
      ))}
      <Button size="icon" variant="quiet" aria-label={text('kit.deselect')} onPress={clear}>
        <Icon name="close" />
      </Button>
    </section>
  )
}
