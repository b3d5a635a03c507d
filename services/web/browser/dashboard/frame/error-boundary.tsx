import { Component, type ReactNode } from 'react'
import { text } from '../../../texts/text.js'
import { Button } from '../kit/button.js'
import { EmptyState } from '../kit/states.js'

/** Confines an error to the page that threw it. A class, because React offers no other way. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <EmptyState
        icon="warning"
        title={text('frame.crashed')}
        action={<Button onPress={() => location.reload()}>{text('frame.reload')}</Button>}
      >
        {text('frame.crashedAbout')}
      </EmptyState>
    )
  }
}
