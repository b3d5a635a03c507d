import type { CreatedShare, SnippetSummary } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { useApi, useProfile } from '../../api/api-context.js'
import { Loaded } from '../../kit/loaded.js'
import { MakeShareDialog, useNewShare } from '../../new-data/new-share.js'
import { UploadForm } from '../../new-data/upload-form.js'

function ShareForm({
  snippet: { id, tool, title },
  onShared,
  onClose,
}: {
  snippet: SnippetSummary
  onShared: (share: CreatedShare) => void
  onClose: () => void
}) {
  const api = useApi()
  const { fields, sending, send } = useNewShare(onShared)
  const share = (): Promise<void> =>
    send(async (signal) => {
      // The bytes as sent: parsing and printing them again could change numbers, escapes and duplicate keys.
      const json = await (await api.snippets.raw(id, { signal })).blob()
      return { tool, title, json }
    })
  return (
    <Loaded query={useProfile()} lines={2}>
      {() => (
        <UploadForm sending={sending} action={text('snippets.makeLink')} onSend={share} onClose={onClose}>
          <p className="quiet">{text('snippets.shareAbout')}</p>
          {fields}
        </UploadForm>
      )}
    </Loaded>
  )
}

/** A dialog that shares the current data of a snippet. */
export function ShareDialog({ snippet, onClose }: { snippet: SnippetSummary; onClose: () => void }) {
  return (
    <MakeShareDialog title={text('snippets.shareTitle', { title: snippet.title })} onClose={onClose}>
      {(onShared) => <ShareForm snippet={snippet} onShared={onShared} onClose={onClose} />}
    </MakeShareDialog>
  )
}
