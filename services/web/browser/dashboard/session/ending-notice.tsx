import { text } from '../../../texts/text.js'
import { Button } from '../kit/button.js'
import { Notice } from '../kit/notice.js'
import { useSession, useSessionState } from './session-context.js'

/** Says that the session is about to end, where only signing in again helps. */
export function EndingNotice() {
  const session = useSession()
  const state = useSessionState()
  if (state.kind !== 'signed-in' || state.endsAtMs === null) return null
  return (
    <Notice tone="warning">
      {text('session.ending')}{' '}
      <Button variant="quiet" onPress={() => void session.signIn()}>
        {text('session.signInAgain')}
      </Button>
    </Notice>
  )
}
