import { Checkbox } from 'react-aria-components'
import { Icon } from './icon.js'

/** A checkbox with its label and what it means. */
export function Check({
  label,
  hint,
  ...props
}: {
  readonly label: string
  readonly hint?: string
  /** Its value in a group. */
  readonly value?: string
  readonly isSelected?: boolean
  onChange?(isSelected: boolean): void
}) {
  return (
    <Checkbox {...props} className="check">
      <span className="check-box" aria-hidden="true">
        <Icon name="check" />
      </span>
      <span>
        <span className="check-name">{label}</span>
        {hint !== undefined && <span className="hint"> {hint}</span>}
      </span>
    </Checkbox>
  )
}
