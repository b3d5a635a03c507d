import type { CreatedShare } from '#sdk/exports.js'
import { text } from '../../../texts/text.js'
import { CopyButton } from './copy-button.js'
import { exactMoment } from './moment.js'
import { TextField } from './text-field.js'

/** The link of a new share, ready to copy. */
export function ShareLink({ share: { share_url: url, expires_at: end } }: { share: CreatedShare }) {
  return (
    <>
      <TextField label={text('snippets.link')} value={url} isReadOnly isMonospaced autoFocus />
      <div className="press-row">
        <CopyButton value={url} label={text('snippets.copyLink')} />
        <a className="press press-secondary press-small" href={url} target="_blank" rel="noreferrer">
          {text('snippets.openLink')}
        </a>
      </div>
      <p className="quiet" role="status">
        {end === null
          ? text('snippets.linkNever')
          : text('snippets.linkExpires', { when: exactMoment(new Date(end)) })}
      </p>
    </>
  )
}
