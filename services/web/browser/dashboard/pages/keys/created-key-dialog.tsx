import { useEffect } from 'react'
import type { CreatedApiKey } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { Button } from '../../kit/button.js'
import { CodeBlock } from '../../kit/code-block.js'
import { Dialog, DialogActions } from '../../kit/dialog.js'
import { Notice } from '../../kit/notice.js'
import { curlLine } from './curl-line.js'

function warnBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

/** Shows the new key once. The dialog only closes when the user confirms that it is stored. */
export function CreatedKeyDialog({ created, onClose }: { readonly created: CreatedApiKey; onClose(): void }) {
  useEffect(() => {
    addEventListener('beforeunload', warnBeforeLeaving)
    return () => removeEventListener('beforeunload', warnBeforeLeaving)
  }, [])
  const { key, name, scopes } = created
  return (
    <Dialog title={text('keys.createdTitle')} isOpen isDismissable={false} hasClose={false} onClose={onClose}>
      <div className="dialog-body">
        <Notice>{text('keys.once')}</Notice>
        <CodeBlock label={text('keys.key', { name })} code={key} copyLabel={text('keys.copyKey')} />
        <CodeBlock label={text('keys.try')} code={curlLine(location.origin, key, scopes)} />
      </div>
      <DialogActions>
        <Button variant="primary" onPress={onClose}>
          {text('keys.stored')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
