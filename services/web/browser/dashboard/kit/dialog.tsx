import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { text } from '../../../texts/text.js'
import { Button } from './button.js'
import { Icon } from './icon.js'

/** A window before the page, which holds the focus until it is closed and then gives it back. */
export function Dialog({
  title,
  isOpen,
  onClose,
  size = 'normal',
  isDismissable = true,
  hasClose = true,
  children,
}: {
  readonly title: string
  readonly isOpen: boolean
  onClose(): void
  readonly size?: 'normal' | 'wide'
  /** Whether Escape and a press beside it close it. */
  readonly isDismissable?: boolean
  /** Whether a cross in its corner closes it. */
  readonly hasClose?: boolean
  readonly children: ReactNode
}) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      onOpenChange={(open) => open || onClose()}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
    >
      <Modal className={`modal modal-${size}`}>
        <AriaDialog className="dialog">
          <header className="dialog-head">
            <Heading slot="title" className="dialog-title">
              {title}
            </Heading>
            {hasClose && (
              <Button variant="quiet" size="icon" aria-label={text('kit.close')} onPress={onClose}>
                <Icon name="close" />
              </Button>
            )}
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>
}
