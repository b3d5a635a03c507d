import type { ReactNode } from 'react'
import { text } from '../../../texts/text.js'
import { Select } from '../kit/select.js'
import { TextField } from '../kit/text-field.js'
import { ContentInput } from './content-input.js'
import type { NewRecord } from './use-new-record.js'

/** The fields that new snippets and new shares have in common; `children` are the others. */
export function RecordFields({
  record: { content, kind, kinds, title, tool, ready, change },
  children,
}: {
  readonly record: NewRecord
  readonly children: ReactNode
}) {
  return (
    <>
      <ContentInput content={content} onChange={(entered) => change({ content: entered })} />
      <div className="field-pair">
        <TextField
          label={text('snippets.title')}
          value={title}
          onChange={(entered) => change({ title: entered })}
          isRequired
          maxLength={200}
        />
        <Select
          label={text('snippets.keptAs')}
          choices={kinds.map((id) => ({ id, label: text(`snippets.${id}`) }))}
          value={kind}
          onChange={(chosen) => change({ kind: chosen })}
        />
      </div>
      <div className="field-pair">
        {children}
        <TextField
          label={text('snippets.tool')}
          value={tool}
          onChange={(entered) => change({ tool: entered })}
          isRequired
          maxLength={64}
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
        />
      </div>
      {ready !== null && ready.wrappedUnder !== null && (
        <p className="hint">{text('snippets.wrapped', { key: ready.wrappedUnder })}</p>
      )}
    </>
  )
}
