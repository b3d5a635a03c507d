import { Component, type ReactNode, useEffect } from 'react'
import { text } from '../../../texts/text.js'
import { Button } from '../kit/button.js'
import { EmptyState } from '../kit/states.js'

/** Whether a script could not be loaded; browsers say so in their own words. */
export function isLoadingFailure(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /dynamically imported module|importing a module script|unable to preload/i.test(error.message)
  )
}

const reload = (): void => location.reload()

const reloadButton = <Button onPress={reload}>{text('frame.reload')}</Button>

/** A browser remembers that a script could not be loaded, so only a reload loads it: once the connection is back. */
function NotLoaded() {
  useEffect(() => {
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [])
  return navigator.onLine ? (
    <EmptyState
      icon="warning"
      title={text('frame.notLoaded')}
      action={reloadButton}
      about={text('frame.notLoadedAbout')}
    />
  ) : (
    <EmptyState icon="warning" title={text('frame.offline')} about={text('frame.offlineAbout')} />
  )
}

interface Failure {
  readonly failure: 'none' | 'not-loaded' | 'crashed'
}

/** Confines an error to the page that threw it. A class, because React offers no other way. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, Failure> {
  override state: Failure = { failure: 'none' }

  static getDerivedStateFromError(error: unknown): Failure {
    return { failure: isLoadingFailure(error) ? 'not-loaded' : 'crashed' }
  }

  override render(): ReactNode {
    switch (this.state.failure) {
      case 'none':
        return this.props.children
      case 'not-loaded':
        return <NotLoaded />
      default:
        return (
          <EmptyState
            icon="warning"
            title={text('problem.title')}
            action={reloadButton}
            about={text('frame.crashedAbout')}
          />
        )
    }
  }
}
