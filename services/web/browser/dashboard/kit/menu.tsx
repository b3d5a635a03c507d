import type { ReactNode } from 'react'
import { Menu as AriaMenu, Button, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Icon, type IconName } from './icon.js'
import { Keys } from './keys.js'

export interface MenuChoice {
  readonly id: string
  readonly label: string
  readonly icon?: IconName
  readonly tone?: 'danger'
  /** The keys that do the same. */
  readonly keys?: string
  /** Links to a page; otherwise `onAction` is called. */
  readonly href?: string
  onAction?(): void
}

/** A button that opens a menu of actions. */
export function Menu({
  label,
  choices,
  look = 'press press-quiet press-menu',
  children,
}: {
  readonly label: string
  readonly choices: readonly MenuChoice[]
  /** The button's class. */
  readonly look?: string
  /** The button's content. */
  readonly children: ReactNode
}) {
  return (
    <MenuTrigger>
      <Button className={look} aria-label={label}>
        <span className="press-content">{children}</span>
      </Button>
      <Popover className="popover" placement="bottom end">
        <AriaMenu className="choices" items={choices}>
          {({ id, label, icon, tone, keys, href, onAction }) => (
            <MenuItem
              id={id}
              textValue={label}
              className={tone === 'danger' ? 'choice choice-danger' : 'choice'}
              {...(href === undefined ? {} : { href })}
              onAction={() => onAction?.()}
            >
              {icon !== undefined && <Icon name={icon} />}
              {label}
              {keys !== undefined && <Keys keys={keys} />}
            </MenuItem>
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
