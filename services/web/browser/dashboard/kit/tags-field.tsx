import { useState } from 'react'
import { Button, Label, Tag, TagGroup, TagList } from 'react-aria-components'
import { text } from '../../../texts/text.js'
import { Icon } from './icon.js'
import { addTags } from './tags.js'
import { TextField } from './text-field.js'

/** A field for tags: each becomes one by Enter or a comma, and can be removed. */
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
      {tags.length > 0 && (
        <TagGroup
          className="tag-group"
          selectionMode="none"
          onRemove={(removed) => onChange(tags.filter((tag) => !removed.has(tag)))}
        >
          <Label className="hidden">{label}</Label>
          <TagList className="tags" items={tags.map((tag) => ({ id: tag }))}>
            {({ id }) => (
              <Tag textValue={id} className="tag tag-removable">
                {id}
                <Button slot="remove" className="tag-remove" aria-label={text('kit.tagRemove', { tag: id })}>
                  <Icon name="close" />
                </Button>
              </Tag>
            )}
          </TagList>
        </TagGroup>
      )}
    </div>
  )
}
