import {
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastRegion as AriaToastRegion,
  Text,
  UNSTABLE_ToastContent as ToastContent,
} from 'react-aria-components'
import { text } from '../../../texts/text.js'
import { Button } from '../kit/button.js'
import { Icon } from '../kit/icon.js'
import { toastQueue } from './toasts.js'

/**
 * Shows toasts. The region is a landmark, reached by F6; its timers stop while it has focus or the pointer.
 * Its name includes the number of toasts, because it is only exposed as a landmark when its name changes.
 */
export function ToastRegion() {
  return (
    <AriaToastRegion queue={toastQueue} className="toasts">
      {({ toast }) => (
        <AriaToast toast={toast} className="toast">
          <ToastContent className="toast-content">
            <Text slot="title">{toast.content.message}</Text>
          </ToastContent>
          {toast.content.action !== null && (
            <Button variant="quiet" size="small" onPress={toast.content.action.run}>
              {toast.content.action.label}
            </Button>
          )}
          <Button slot="close" variant="quiet" size="icon" aria-label={text('kit.close')}>
            <Icon name="close" />
          </Button>
        </AriaToast>
      )}
    </AriaToastRegion>
  )
}
