import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CreatedShare, SnippetSummary } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { profileKey, sharesKey, snippetsKey } from '../../api/query-keys.js'
import { failedOf, type Outcome, runMany } from '../../api/run-many.js'
import { showToast } from '../../frame/toasts.js'
import { BulkBar } from '../../kit/bulk-bar.js'
import { CopyButton } from '../../kit/copy-button.js'
import { describeProblem } from '../../kit/describe-problem.js'
import { ManyDialog } from '../../kit/many-dialog.js'
import { namesOf } from '../../kit/names-of.js'
import { addTags, TagsField } from '../../kit/tags-field.js'
import { downloadData } from './download-snippet.js'

interface Chosen {
  readonly snippets: readonly SnippetSummary[]
  onClose(): void
}

/** Adds tags to several snippets. Each is read first, so that tags it got elsewhere in the meantime stay. */
function TagDialog({ snippets, onClose }: Chosen) {
  const api = useApi()
  const queries = useQueryClient()
  const [tags, setTags] = useState<readonly string[]>([])
  const tag = async ({ id }: SnippetSummary): Promise<void> => {
    const now = await api.snippets.get(id, { includeData: false })
    const all = addTags(now.tags, tags.join(','))
    await api.snippets.update(id, { tags: all, ifMatch: now.etag ?? undefined })
  }
  const ended = (outcomes: readonly Outcome<SnippetSummary, unknown>[]): void => {
    void queries.invalidateQueries({ queryKey: snippetsKey })
    if (failedOf(outcomes).length > 0) return
    showToast(text('snippets.tagged', { count: outcomes.length }))
    onClose()
  }
  return (
    <ManyDialog
      title={text('snippets.tagMany', { count: snippets.length })}
      action={text('snippets.save')}
      items={snippets}
      isReady={tags.length > 0}
      change={tag}
      onChanged={ended}
      onClose={onClose}
      result={() => null}
    >
      <TagsField label={text('snippets.tags')} tags={tags} onChange={setTags} />
    </ManyDialog>
  )
}

function Links({ outcomes }: { readonly outcomes: readonly Outcome<SnippetSummary, CreatedShare>[] }) {
  const made = outcomes.flatMap(({ item, result }) => (result === null ? [] : [{ item, result }]))
  if (made.length === 0) return null
  return (
    <>
      <ul className="links">
        {made.map(({ item, result: { share_url } }) => (
          <li key={item.id}>
            {item.title}
            <a href={share_url} target="_blank" rel="noreferrer">
              {share_url}
            </a>
          </li>
        ))}
      </ul>
      <CopyButton
        value={made.map(({ result }) => result.share_url).join('\n')}
        label={text('snippets.copyLinks')}
      />
    </>
  )
}

/** Shares several snippets, each by a link of its own. What seems to hold a secret is not published. */
function ShareDialog({ snippets, onClose }: Chosen) {
  const api = useApi()
  const queries = useQueryClient()
  const share = async ({ id, tool, title }: SnippetSummary): Promise<CreatedShare> => {
    const json = await (await api.snippets.raw(id)).blob()
    return api.shares.create({ tool, title, json, allowSecrets: false })
  }
  const ended = (): void => {
    for (const queryKey of [sharesKey, profileKey]) void queries.invalidateQueries({ queryKey })
  }
  return (
    <ManyDialog
      title={text('snippets.shareMany', { count: snippets.length })}
      action={text('snippets.makeLinks')}
      items={snippets}
      change={share}
      onChanged={ended}
      onClose={onClose}
      result={(outcomes) => <Links outcomes={outcomes} />}
    >
      <p className="quiet">{text('snippets.shareManyAbout')}</p>
    </ManyDialog>
  )
}

/** What can be done with the selected snippets. */
export function SelectedSnippets({
  snippets,
  onDelete,
  onClear,
}: {
  readonly snippets: readonly SnippetSummary[]
  onDelete(): void
  onClear(): void
}) {
  const api = useApi()
  const [asked, setAsked] = useState<'tag' | 'share' | null>(null)
  const download = async (): Promise<void> => {
    const outcomes = await runMany(
      snippets,
      (snippet) => downloadData(api.snippets.raw(snippet.id), snippet),
      { atOnce: 2 },
    )
    const failed = failedOf(outcomes)
    const [first] = failed
    if (first === undefined) return
    const names = namesOf(failed.map(({ item }) => item.title))
    showToast(text('snippets.notDownloaded', { names, why: describeProblem(first.error).detail }))
  }
  const close = (): void => setAsked(null)
  return (
    <>
      <BulkBar
        count={snippets.length}
        onClear={onClear}
        actions={[
          {
            id: 'tag',
            label: text('snippets.tag'),
            icon: 'tag',
            keys: 't',
            run: () => setAsked('tag'),
          },
          {
            id: 'download',
            label: text('share.download'),
            icon: 'download',
            keys: 'd',
            run: () => void download(),
          },
          {
            id: 'share',
            label: text('snippets.share'),
            icon: 'shares',
            keys: 's',
            run: () => setAsked('share'),
          },
          {
            id: 'delete',
            label: text('snippets.delete'),
            icon: 'trash',
            keys: '#',
            tone: 'danger',
            run: onDelete,
          },
        ]}
      />
      {asked === 'tag' && <TagDialog snippets={snippets} onClose={close} />}
      {asked === 'share' && <ShareDialog snippets={snippets} onClose={close} />}
    </>
  )
}
