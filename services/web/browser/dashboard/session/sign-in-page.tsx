import { useState } from 'react'
import { text } from '../../../texts/text.js'
import { Button } from '../kit/button.js'
import { Notice } from '../kit/notice.js'
import { useSession } from './session-context.js'
import { failureText, type SignInFailure } from './sign-in-failure.js'

/** What somebody sees who is not signed in. */
export function SignInPage({ failure }: { failure: SignInFailure | null }) {
  const session = useSession()
  const [isLeaving, setLeaving] = useState(false)
  const hopeless = failure === 'not-configured' || failure === 'insecure'
  const leave = (): void => {
    setLeaving(true)
    void session.signIn().finally(() => setLeaving(false))
  }
  return (
    <main className="sign-in" id="content">
      <h1>{text('session.title')}</h1>
      <p className="quiet">{text('session.about')}</p>
      {failure !== null && <Notice tone="warning">{failureText(failure)}</Notice>}
      {!hopeless && (
        <Button variant="primary" isPending={isLeaving} onPress={leave}>
          {text('session.signIn')}
        </Button>
      )}
    </main>
  )
}
