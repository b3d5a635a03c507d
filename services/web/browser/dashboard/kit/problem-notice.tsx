import { useEffect, useState } from 'react'
import { ProblemError } from '#sdk/exports.js'
import { text } from '../../../texts/text.js'
import { useSession } from '../session/session-views.js'
import { Button } from './button.js'
import { ButtonLink } from './button-link.js'
import { CopyButton } from './copy-button.js'
import { describeProblem } from './describe-problem.js'
import { Notice } from './notice.js'

/** Counts down `seconds` to 0, starting over when `start` changes. */
function useCountdown(seconds: number, start: unknown): number {
  const [left, setLeft] = useState(seconds)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `start` only says when to begin again
  useEffect(() => {
    const endsAt = Date.now() + seconds * 1_000
    const update = (): void => setLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1_000)))
    update()
    const timer = setInterval(update, 250)
    return () => clearInterval(timer)
  }, [seconds, start])
  return left
}

function Waiting({ error, seconds, onRetry }: { error: Error; seconds: number; onRetry?: () => void }) {
  const left = useCountdown(seconds, error)
  const words = left > 0 ? text('problem.wait', { count: left }) : text('problem.waitOver')
  return (
    <>
      {/* Otherwise screen readers would announce every second. */}
      <p aria-live="off">{words}</p>
      {onRetry !== undefined && (
        <Button size="small" isDisabled={left > 0} onPress={onRetry}>
          {text('kit.retry')}
        </Button>
      )}
    </>
  )
}

/** A failure in words, with what to do about it. `onRetry` repeats the request. */
export function ProblemNotice({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const session = useSession()
  const isTooOld = error instanceof ProblemError && error.code === 'login_too_old'
  const { title, detail, detailLanguage, remedy, waitSeconds } = describeProblem(error)
  const retry = onRetry === undefined ? {} : { onRetry }
  return (
    <Notice tone="problem">
      <p>
        <strong>{title}.</strong> <span lang={detailLanguage}>{detail}</span>
      </p>
      {remedy === 'wait' && <Waiting error={error} seconds={waitSeconds} {...retry} />}
      {remedy === 'plan' && (
        <ButtonLink href="/plan" size="small">
          {text('problem.toPlan')}
        </ButtonLink>
      )}
      {remedy === 'sign-in' && (
        <Button size="small" onPress={() => void session.signIn(isTooOld ? 'fresh' : undefined)}>
          {text('session.signInAgain')}
        </Button>
      )}
      {remedy === 'retry' && onRetry !== undefined && (
        <Button size="small" onPress={onRetry}>
          {text('kit.retry')}
        </Button>
      )}
      {error instanceof ProblemError && error.status >= 500 && error.requestId !== null && (
        <p className="hint request-id">
          {text('problem.request', { id: error.requestId })} <CopyButton value={error.requestId} />
        </p>
      )}
    </Notice>
  )
}
