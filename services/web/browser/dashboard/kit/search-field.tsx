import { SearchField as AriaSearchField, Button, Input } from 'react-aria-components'
import { text } from '../../../texts/text.js'
import { Icon } from './icon.js'

/** A search field; Escape clears it. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string
  onChange(value: string): void
}) {
  return (
    <AriaSearchField aria-label={label} value={value} onChange={onChange} className="search">
      <Icon name="search" />
      <Input className="input" placeholder={label} />
      <Button className="search-clear" aria-label={text('kit.clear')}>
        <Icon name="close" />
      </Button>
    </AriaSearchField>
  )
}
