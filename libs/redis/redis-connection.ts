import { createHash } from 'node:crypto'
import { createClient } from 'redis'
import type { Logger } from '../log/logger.js'
import { awaitReply, NoReply } from './await-reply.js'
import { createEventLoopLag, type EventLoopLag } from './event-loop-lag.js'
import { watchOutages } from './redis-outages.js'

/** A Lua script that Redis caches by its hash. */
export type RedisScript = (keys: readonly string[], args: readonly string[]) => Promise<unknown>

/** The callbacks of a subscription. */
export interface Subscriber {
  onMessage(message: string): void
  /** Messages may have been missed: the subscription was interrupted or has just started. */
  onInterrupted(): void
}

/** Redis, whether or not it can be reached at the moment. */
export interface RedisConnection {
  /** A script; each run rejects if Redis rejects it, cannot be reached or takes longer than 100 ms. */
  script(source: string): RedisScript
  /** Sends a message to every subscriber of the channel; rejects like a script. */
  publish(channel: string, message: string): Promise<void>
  /** Subscribes on a separate connection, and again after every interruption. */
  subscribe(channel: string, subscriber: Subscriber): void
  /** Tells time that Redis took from time in which this process was blocked. */
  readonly lag: EventLoopLag
  /** Resolves when every connection is closed. */
  close(): Promise<void>
}

const commandTimeoutMs = 100
const connectTimeoutMs = 1_000
/** A connection that is silent for this long is dead and replaced; pings keep a live one from being silent. */
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
    // The real timeout is enforced below; the driver's own costs a signal for every command.
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
 * Sends commands, each with a timeout of 100 ms: the driver's own timeout ends once a command is written, and a dead
 * server's machine still accepts bytes. While a command is overdue no other is sent, because writes hide the silence
 * that ends a dead connection.
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

/** Connects until the client is closed. */
function connect(client: Client): void {
  // Every failed attempt is an error event as well, and is followed by another.
  client.connect().catch(() => {})
}

function subscribeOn(client: Client, channel: string, { onMessage, onInterrupted }: Subscriber): void {
  let subscribed = false
  const begin = async (): Promise<void> => {
    try {
      // The driver subscribes again by itself after later interruptions.
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
 * Opens Redis in the background: this returns at once, and commands fail at once while Redis cannot be reached. It
 * reconnects for ever, and an outage is one log line at its beginning and one at its end.
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
