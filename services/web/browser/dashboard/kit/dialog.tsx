import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { text } from '../../../texts/text.js'
import { Button } from './button.js'
import { Icon } from './icon.js'

/** A modal dialog. It traps the focus and returns it when closed. */
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
  /** Whether Escape and a press outside close it. */
  readonly isDismissable?: boolean
  /** Whether it has a close button in its corner. */
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

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>
}
