import { useEffect, useRef, useState } from 'react'
import { useSession } from '../session/session-views.js'
import { idempotencyKeyOf } from './idempotency-key.js'
import { upload } from './upload.js'

/** The state of an upload. */
export interface UploadState<T> {
  /** From 0 to 1 during the upload, otherwise `null`. */
  readonly progress: number | null
  readonly error: Error | null
  /** Sends what `make` returns. Resolves to `null` when it failed or was cancelled. */
  start(
    make: (signal: AbortSignal) => Promise<{ readonly path: string; readonly body: Blob }>,
  ): Promise<T | null>
  cancel(): void
}

/**
 * The uploads of one form, with progress and cancel. Sending the same body again after a failure never
 * creates twice.
 */
export function useUpload<T>(): UploadState<T> {
  const session = useSession()
  const [progress, setProgress] = useState<number | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const form = useRef(crypto.randomUUID())
  const running = useRef<AbortController | null>(null)

  useEffect(() => () => running.current?.abort(), [])

  const start: UploadState<T>['start'] = async (make) => {
    const controller = new AbortController()
    const { signal } = controller
    running.current?.abort()
    running.current = controller
    setError(null)
    setProgress(0)
    try {
      const { path, body } = await make(signal)
      const idempotencyKey = await idempotencyKeyOf(form.current, body)
      return await upload<T>(session, { path, body, idempotencyKey, signal, onProgress: setProgress })
    } catch (failure) {
      if (!signal.aborted) setError(failure instanceof Error ? failure : new Error(String(failure)))
      return null
    } finally {
      if (running.current === controller) setProgress(null)
    }
  }

  return {
    progress,
    error,
    start,
    cancel() {
      running.current?.abort()
      setProgress(null)
      setError(null)
    },
  }
}
