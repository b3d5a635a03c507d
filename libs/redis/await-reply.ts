import type { EventLoopLag } from './event-loop-lag.js'

/** Redis has not responded in time. */
export class NoReply extends Error {
  constructor(timeoutMs: number) {
    super(`Redis took longer than ${timeoutMs} ms`)
    this.name = 'NoReply'
  }
}

/** How often the timeout is extended at most: a starved process must not wait for ever. */
const roundsMax = 10

/**
 * The reply, if it comes within `timeoutMs`. Replies that have arrived by then are read before the timeout counts. If
 * this process itself was blocked meanwhile, the timeout is extended: under such load everything is late, and limits
 * must hold all the same.
 * @throws NoReply on timeout; a later reply is ignored.
 */
export function awaitReply<T>(reply: Promise<T>, timeoutMs: number, lag: EventLoopLag): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let watch = lag.watch()
    const begin = (roundsLeft: number): void => {
      timer = setTimeout(() => {
        const again = watch.wasBlocked() && roundsLeft > 0
        watch.end()
        if (!again) return void setImmediate(() => reject(new NoReply(timeoutMs)))
        watch = lag.watch()
        begin(roundsLeft - 1)
      }, timeoutMs)
    }
    begin(roundsMax)
    reply.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      watch.end()
    })
  })
}
