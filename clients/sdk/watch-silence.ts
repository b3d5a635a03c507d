/** Statuses whose responses have no body; Chromium gives them an empty one. */
export const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/** Aborts a request when nothing has been sent or received for too long, or when its caller does. */
export interface SilenceWatch {
  readonly signal: AbortSignal
  /** Call when something was sent or received. */
  heard(): void
  /** Whether the request was aborted for silence. */
  isOver(): boolean
  stop(): void
  /** The response, watched until its body has been read. */
  watchBody(response: Response): Response
}

/** A timer that does not keep the process alive. */
function startTimer(work: () => void, ms: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(work, ms)
  if (typeof timer === 'object') (timer as { unref?: () => void }).unref?.()
  return timer
}

/** @param ms the longest allowed silence. */
export function watchSilence(ms: number, given: AbortSignal | undefined): SilenceWatch {
  const controller = new AbortController()
  let over = false
  const expire = (): void => {
    over = true
    controller.abort(new DOMException('nothing was sent or received', 'TimeoutError'))
  }
  let timer = startTimer(expire, ms)
  const forward = (): void => controller.abort(given?.reason)
  if (given?.aborted === true) forward()
  else given?.addEventListener('abort', forward, { once: true })
  const stop = (): void => {
    clearTimeout(timer)
    given?.removeEventListener('abort', forward)
  }
  const heard = (): void => {
    clearTimeout(timer)
    if (!over) timer = startTimer(expire, ms)
  }
  return {
    signal: controller.signal,
    heard,
    isOver: () => over,
    stop,
    watchBody(response) {
      if (response.body === null || bodiless.has(response.status)) {
        stop()
        return response
      }
      heard()
      const watched = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk: Uint8Array, output: TransformStreamDefaultController<Uint8Array>) {
            heard()
            output.enqueue(chunk)
          },
          flush: stop,
          cancel: stop,
        } as ConstructorParameters<typeof TransformStream<Uint8Array, Uint8Array>>[0]),
      )
      const { status, statusText, headers } = response
      return new Response(watched, { status, statusText, headers })
    },
  }
}
