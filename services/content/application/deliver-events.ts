import { DomainError } from '#libs/core/domain-error.js'
import type { ContentEvent } from '../domain/content-event.js'
import type { ContentPorts, EventRecorder } from '../ports.js'

/**
 * Sends events to be recorded, then removes them from the outbox, or makes them due again. An event that is
 * rejected for good goes to `refused` and is dropped, so that it cannot block others.
 * @throws the error that kept the events from being recorded now.
 */
export async function deliverEvents(
  ports: Pick<ContentPorts, 'outbox'> & { readonly recorder: EventRecorder },
  events: readonly ContentEvent[],
  refused: (event: ContentEvent, error: DomainError) => void,
): Promise<void> {
  const { outbox, recorder } = ports
  try {
    await recorder.record(events)
  } catch (error) {
    if (!(error instanceof DomainError && error.kind === 'invalid')) {
      await outbox.postpone(events)
      throw error
    }
    const [only, ...others] = events
    if (only !== undefined && others.length === 0) refused(only, error)
    else {
      for (const event of events) await deliverEvents(ports, [event], refused)
      return
    }
  }
  await outbox.finish(events)
}
