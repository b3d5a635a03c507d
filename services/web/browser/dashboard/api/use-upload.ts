import { useEffect, useRef, useState } from 'react'
import type { CallOptions, Snipkeep } from '#sdk/exports.js'
import { useApi } from './api-context.js'
import { idempotencyKeyOf } from './idempotency-key.js'

/** The JSON of `data`, to be stored byte for byte, with the fields beside it. */
export interface Output {
  readonly json: Blob
}

/** The state of an upload. */
export interface UploadState<Sent, Result> {
  /** From 0 to 1 during the upload, otherwise `null`. */
  readonly progress: number | null
  readonly error: Error | null
  /** Sends what `make` returns. Resolves to `null` when it failed or was cancelled. */
  start(make: (signal: AbortSignal) => Promise<Sent>): Promise<Result | null>
  cancel(): void
}

/**
 * The uploads of one form, with progress and cancel. Sending the same again after a failure never creates twice.
 * @param send uploads an output with this key.
 */
export function useUpload<Sent extends Output, Result>(
  send: (
    api: Snipkeep,
    output: Sent & { readonly idempotencyKey: string },
    options: CallOptions,
  ) => Promise<Result>,
): UploadState<Sent, Result> {
  const api = useApi()
  const [progress, setProgress] = useState<number | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const form = useRef(crypto.randomUUID())
  const running = useRef<AbortController | null>(null)

  useEffect(() => () => running.current?.abort(), [])

  const start: UploadState<Sent, Result>['start'] = async (make) => {
    const controller = new AbortController()
    const { signal } = controller
    running.current?.abort()
    running.current = controller
    setError(null)
    setProgress(0)
    try {
      const output = await make(signal)
      const idempotencyKey = await idempotencyKeyOf(form.current, output)
      const onProgress: CallOptions['onProgress'] = ({ sent, total }) => setProgress(total ? sent / total : 1)
      return await send(api, { ...output, idempotencyKey }, { signal, onProgress })
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
