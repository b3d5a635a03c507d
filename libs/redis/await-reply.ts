import type { EventLoopLag } from './event-loop-lag.js'

/** Redis has not responded within the time given. */
export class NoReply extends Error {
  constructor(timeoutMs: number) {
    super(`Redis took longer than ${timeoutMs} ms`)
    this.name = 'NoReply'
  }
}

/** How often the time is given anew at most: a process that never gets its turn must not wait for ever. */
const roundsMax = 10

/**
 * The reply, if it comes within `timeoutMs`. What has arrived by then is read before the time is called over. A time in
 * which this process was blocked itself is not held against Redis and given anew: under such a load everything is late,
 * and limits must hold all the same.
 * @throws NoReply when it does not; a reply that comes later is ignored.
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
