const silentMsMax = 60_000
const checkMs = 5_000

/** Watches how long a server leaves a stream waiting. */
export interface Silence {
  /** The stream waits for the server from now on. */
  begin(): void
  /** The server sent or took something. */
  end(): void
  /** Whether the stream was cancelled because of it. */
  isTooLong(): boolean
  stop(): void
}

/**
 * Cancels a stream whose server is silent for a minute while it is waited for: streams outlive the keepalive pings that
 * would notice a lost server (see `streamOptions`).
 */
export function watchSilence(cancel: () => void): Silence {
  let since: number | null = null
  let isTooLong = false
  const timer = setInterval(() => {
    if (since === null || performance.now() - since < silentMsMax) return
    clearInterval(timer)
    isTooLong = true
    cancel()
  }, checkMs).unref()
  return {
    begin() {
      since ??= performance.now()
    },
    end() {
      since = null
    },
    isTooLong: () => isTooLong,
    stop: () => clearInterval(timer),
  }
}
