import { Label, ProgressBar } from 'react-aria-components'
import { text } from '../../../texts/text.js'

/** A progress bar for an upload, from 0 to 1. */
export function UploadProgress({ progress }: { progress: number }) {
  const percent = Math.round(progress * 100)
  const words = progress >= 1 ? text('kit.uploadEnding') : text('kit.percent', { percent })
  return (
    <ProgressBar className="meter" value={percent} valueLabel={words}>
      <Label>{text('kit.uploading')}</Label>
      <span className="meter-words">{words}</span>
      <span className="meter-track">
        <span className="meter-fill" style={{ inlineSize: `${percent}%` }} />
      </span>
    </ProgressBar>
  )
}
