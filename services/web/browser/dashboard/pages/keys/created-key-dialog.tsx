import { useEffect } from 'react'
import type { ApiKey, CreatedApiKey } from '#sdk/exports.js'
import { text } from '../../../../texts/text.js'
import { Button } from '../../kit/button.js'
import { CopyButton } from '../../kit/copy-button.js'
import { Dialog, DialogActions } from '../../kit/dialog.js'
import { Notice } from '../../kit/notice.js'

/** Text to copy as a whole, such as a command. */
function CodeBlock({ label, code, copyLabel }: { label: string; code: string; copyLabel?: string }) {
  return (
    <figure className="code-block">
      <figcaption>{label}</figcaption>
      <pre className="code mono">{code}</pre>
      <CopyButton value={code} {...(copyLabel === undefined ? {} : { label: copyLabel })} />
    </figure>
  )
}

const body = '{"tool":"csv","title":"From my terminal","data":{"csv":"a,b"}}'

/** A curl command that tries the key: it lists snippets, or saves one if the key cannot read. */
export function curlLine(origin: string, key: string, scopes: readonly ApiKey['scopes'][number][]): string {
  const call = `curl -H 'X-API-Key: ${key}' ${origin}/api/snippets`
  return scopes.includes('read') ? call : `${call} -H 'Content-Type: application/json' -d '${body}'`
}

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
