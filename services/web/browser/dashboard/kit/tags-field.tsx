import { useState } from 'react'
import { text } from '../../../texts/text.js'
import { RemovableTags } from './removable-tags.js'
import { addTags } from './tags.js'
import { TextField } from './text-field.js'

/** A tag input: Enter or a comma adds a tag. */
export function TagsField({
  label,
  tags,
  onChange,
}: {
  readonly label: string
  readonly tags: readonly string[]
  onChange(tags: readonly string[]): void
}) {
  const [entered, setEntered] = useState('')
  const commit = (value: string): void => {
    onChange(addTags(tags, value))
    setEntered('')
  }
  return (
    <div className="tags-field">
      <TextField
        label={label}
        description={text('kit.tagsHint')}
        value={entered}
        onChange={(value) => (value.includes(',') ? commit(value) : setEntered(value))}
        onBlur={() => commit(entered)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || entered.trim() === '') return
          event.preventDefault()
          commit(entered)
        }}
      />
      <RemovableTags label={label} tags={tags} groupClass="tag-group" onChange={onChange} />
    </div>
  )
}
