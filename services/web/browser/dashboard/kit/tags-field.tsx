import { useState } from 'react'
import { Button, Label, Tag, TagGroup, TagList } from 'react-aria-components'
import { text } from '../../../texts/text.js'
import { Icon } from './icon.js'
import { TextField } from './text-field.js'

const tagsMax = 20
const tagLengthMax = 50

/**
 * Adds the comma-separated tags of `text`, normalised as the API does: trimmed, unique, at most as many as it
 * accepts.
 */
export function addTags(tags: readonly string[], entered: string): readonly string[] {
  const added = entered
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '' && [...tag].length <= tagLengthMax)
  return [...new Set([...tags, ...added])].slice(0, tagsMax)
}

/** Tags, each with a remove button; renders nothing without tags. */
export function RemovableTags({
  label,
  tags,
  groupClass,
  tagClass,
  onChange,
}: {
  /** The accessible name. */
  readonly label: string
  readonly tags: readonly string[]
  readonly groupClass: string
  readonly tagClass?: string
  onChange(tags: readonly string[]): void
}) {
  if (tags.length === 0) return null
  return (
    <TagGroup
      className={groupClass}
      selectionMode="none"
      onRemove={(removed) => onChange(tags.filter((tag) => !removed.has(tag)))}
    >
      <Label className="hidden">{label}</Label>
      <TagList className="tags" items={tags.map((tag) => ({ id: tag }))}>
        {({ id }) => (
          <Tag textValue={id} className={`tag tag-removable ${tagClass ?? ''}`.trim()}>
            {id}
            <Button slot="remove" className="tag-remove" aria-label={text('kit.tagRemove', { tag: id })}>
              <Icon name="close" />
            </Button>
          </Tag>
        )}
      </TagList>
    </TagGroup>
  )
}

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
