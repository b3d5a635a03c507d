import { useEffect, useState } from 'react'
import { SearchField as AriaSearchField, Button, Input } from 'react-aria-components'
import { text } from '../../../texts/text.js'
import { Icon } from './icon.js'

const typingMs = 250

/** A search field; Escape clears it. The search runs when typing pauses. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string
  onChange(value: string): void
}) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => onChange(typed), typingMs)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <AriaSearchField aria-label={label} value={typed} onChange={setTyped} className="search search-list">
      <Icon name="search" />
      <Input className="input" placeholder={label} />
      <Button className="search-clear" aria-label={text('kit.clear')}>
        <Icon name="close" />
      </Button>
    </AriaSearchField>
  )
}

/** Puts the focus into the search field of the page. */
export function focusSearch(): void {
  document.querySelector<HTMLInputElement>('.search-list input')?.focus()
}
