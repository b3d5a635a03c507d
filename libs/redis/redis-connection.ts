import { createHash } from 'node:crypto'
import { createClient } from 'redis'
import type { Logger } from '../log/logger.js'
import { awaitReply, NoReply } from './await-reply.js'
import { createEventLoopLag, type EventLoopLag } from './event-loop-lag.js'
import { watchOutages } from './redis-outages.js'

/** A Lua script that Redis knows by its hash once it has run. */
export type RedisScript = (keys: readonly string[], args: readonly string[]) => Promise<unknown>

/** What a subscriber is told. */
export interface Subscriber {
  onMessage(message: string): void
  /** Messages may have been missed: the subscription broke, or has just been made. */
  onInterrupted(): void
}

/** Redis, whether it can be reached at this moment or not. */
export interface RedisConnection {
  /** A script; each run rejects when Redis refuses it, cannot be reached or takes longer than 100 ms. */
  script(source: string): RedisScript
  /** Sends a message to every subscriber of the channel; rejects as a script does. */
  publish(channel: string, message: string): Promise<void>
  /** Subscribes on a connection of its own, and again after every interruption. */
  subscribe(channel: string, subscriber: Subscriber): void
  /** Tells time that Redis took from time in which this process was blocked. */
  readonly lag: EventLoopLag
  /** Resolves when every connection is closed. */
  close(): Promise<void>
}

const commandTimeoutMs = 100
const connectTimeoutMs = 1_000
/** A connection that says nothing for so long is dead and made anew; the pings keep a live one from being silent. */
const silenceMaxMs = 1_500
const pingIntervalMs = 500
const reconnect = { firstMs: 50, maxMs: 500 }

function reconnectDelay(retries: number): number {
  const ms = Math.min(reconnect.firstMs * 2 ** Math.min(retries, 10), reconnect.maxMs)
  return ms * (0.5 + Math.random() / 2)
}

function openClient(url: string, name: string) {
  return createClient({
    url,
    name: `snipkeep-${name}`,
    disableOfflineQueue: true,
    pingInterval: pingIntervalMs,
    // The time that counts is taken below; the driver's own costs a signal for every command.
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: connectTimeoutMs,
      socketTimeout: silenceMaxMs,
      reconnectStrategy: reconnectDelay,
    },
  })
}

type Client = ReturnType<typeof openClient>

/**
 * Sends commands, each with 100 ms for its response: the driver's own timeout ends when a command is written, and a dead
 * server's machine takes what is written to it. While one is overdue no other is sent, for what is written hides the
 * silence that ends a dead connection.
 */
function createSender(lag: EventLoopLag): <T>(send: () => Promise<T>) => Promise<T> {
  let overdue = 0
  return async (send) => {
    if (overdue > 0) throw new NoReply(commandTimeoutMs)
    const reply = send()
    try {
      return await awaitReply(reply, commandTimeoutMs, lag)
    } catch (error) {
      if (error instanceof NoReply) {
        overdue += 1
        const responded = (): void => {
          overdue -= 1
        }
        reply.then(responded, responded)
      }
      throw error
    }
  }
}

/** Connects for as long as the client is not closed. */
function connect(client: Client): void {
  // Every failed attempt is an error event as well, and another one follows.
  client.connect().catch(() => {})
}

function subscribeOn(client: Client, channel: string, { onMessage, onInterrupted }: Subscriber): void {
  let subscribed = false
  const begin = async (): Promise<void> => {
    try {
      // The driver repeats it by itself after later interruptions.
      if (!subscribed) await client.subscribe(channel, (message) => onMessage(message))
      subscribed = true
      onInterrupted()
    } catch {
      if (client.isOpen) setTimeout(() => void begin(), reconnect.maxMs).unref()
    }
  }
  client.on('ready', () => void begin())
  client.on('reconnecting', onInterrupted)
  client.on('error', onInterrupted)
}

/**
 * Opens Redis in the background: this returns at once, and whoever uses it while it cannot be reached is refused at
 * once. It reconnects for ever, and an outage is one line in the log at its beginning and one at its end.
 */
export function openRedis(url: string, log: Logger, options: { readonly name: string }): RedisConnection {
  const client = openClient(url, options.name)
  const subscribers: Client[] = []
  const lag = createEventLoopLag()
  const inTime = createSender(lag)
  watchOutages(client, log)
  connect(client)
  return {
    script(source) {
      const sha1 = createHash('sha1').update(source).digest('hex')
      const run = async (keys: readonly string[], args: readonly string[]): Promise<unknown> => {
        const given = { keys: [...keys], arguments: [...args] }
        try {
          return await client.evalSha(sha1, given)
        } catch (error) {
          if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
          return client.eval(source, given)
        }
      }
      return (keys, args) => inTime(() => run(keys, args))
    },
    async publish(channel, message) {
      await inTime(() => client.publish(channel, message))
    },
    subscribe(channel, subscriber) {
      const own = openClient(url, `${options.name}-subscriber`)
      subscribers.push(own)
      subscribeOn(own, channel, subscriber)
      connect(own)
    },
    lag,
    async close() {
      for (const one of [client, ...subscribers]) if (one.isOpen) one.destroy()
    },
  }
}
