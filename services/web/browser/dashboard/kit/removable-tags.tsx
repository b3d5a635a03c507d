import { Button, Label, Tag, TagGroup, TagList } from 'react-aria-components'
import { text } from '../../../texts/text.js'
import { Icon } from './icon.js'

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
