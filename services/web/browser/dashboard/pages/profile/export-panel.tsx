import { useEffect, useRef, useState } from 'react'
import { readableSize } from '#libs/core/readable-text.js'
import { text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { Button } from '../../kit/button.js'
import { Icon } from '../../kit/icon.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { saveFile } from '../../kit/save-file.js'
import { exportAccount } from './export-account.js'

/** The state of an export: how much has come, the failure, or neither. */
type ExportState =
  | { readonly kind: 'idle' | 'done' }
  | { readonly kind: 'running'; readonly received: number }
  | { readonly kind: 'failed'; readonly error: Error }

/** Downloads everything that the account holds. */
export function ExportPanel() {
  const api = useApi()
  const [state, setState] = useState<ExportState>({ kind: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const isRunning = state.kind === 'running'

  const start = async (): Promise<void> => {
    const abort = new AbortController()
    running.current = abort
    setState({ kind: 'running', received: 0 })
    try {
      const onBytes = (received: number): void => setState({ kind: 'running', received })
      const { name, content } = await exportAccount(api, onBytes, abort.signal)
      saveFile(name, content)
      setState({ kind: 'done' })
    } catch (error) {
      if (abort.signal.aborted) setState({ kind: 'idle' })
      else setState({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
    }
  }

  return (
    <section className="panel" aria-label={text('profile.export')}>
      <h2>{text('profile.export')}</h2>
      <p>{text('profile.exportHint')}</p>
      {state.kind === 'failed' && <ProblemNotice error={state.error} onRetry={() => void start()} />}
      <div className="press-row">
        <Button isDisabled={isRunning} onPress={() => void start()}>
          <Icon name="download" />
          {text('profile.exportButton')}
        </Button>
        {isRunning && <Button onPress={() => running.current?.abort()}>{text('kit.cancel')}</Button>}
        <span role="status">
          {isRunning && text('profile.exportRunning', { size: readableSize(state.received) })}
          {state.kind === 'done' && text('profile.exportDone')}
        </span>
      </div>
    </section>
  )
}
