import { createHash } from 'node:crypto'
import { createClient } from 'redis'
import type { Logger } from '../log/logger.js'
import { metrics } from '../telemetry/catalogue.js'
import { awaitReply, NoReply } from './await-reply.js'
import { createEventLoopLag, type EventLoopLag } from './event-loop-lag.js'
import { NodeRefused, probeKeys, refusalOf } from './refused-node.js'

/** A process that is busy starting may miss its first connection, which is no outage if the next one succeeds. */
const startMs = 1_000

/** The log of outages. */
interface Outages {
  /** Logs the first error of an outage, and nothing more until its end; before the first success after a second. */
  begin(error: Error): void
  end(): void
  /** Logs nothing more about a start that never succeeded. */
  close(): void
}

/** Logs the beginning and the end of each outage, and nothing in between. */
export function logOutages(log: Pick<Logger, 'warn' | 'info'>): Outages {
  let isOut = false
  let started = false
  let starting: NodeJS.Timeout | undefined
  const outages = metrics.redisOutages.series()
  const up = metrics.redisUp.series()
  const logOnce = (error: Error): void => {
    if (isOut) return
    isOut = true
    up.set(0)
    outages.inc()
    const refused = error instanceof NodeRefused
    const line = refused ? 'Redis cannot be used' : 'Redis cannot be reached'
    log.warn({ event: 'redis_down', err: error, ...(refused && { remedy: error.remedy }) }, line)
  }
  return {
    begin(error) {
      if (started || error instanceof NodeRefused) logOnce(error)
      else starting ??= setTimeout(logOnce, startMs, error).unref()
    },
    end() {
      clearTimeout(starting)
      started = true
      if (isOut) log.info({ event: 'redis_up' }, 'Redis can be reached again')
      isOut = false
      up.set(1)
    },
    close() {
      clearTimeout(starting)
    },
  }
}

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

type Sender = <T>(send: () => Promise<T>) => Promise<T>

/**
 * Sends commands, each with a timeout of 100 ms: the driver's own timeout ends once a command is written, and a dead
 * server's machine still accepts bytes. While a command is overdue no other is sent, because writes hide the silence
 * that ends a dead connection.
 */
function createSender(lag: EventLoopLag): Sender {
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

/** The connection that commands use, to a node that was found usable. */
interface CommandConnection {
  /** The client; throws while there is none, or none that may be used. */
  client(): Client
  /** If the node rejected a command because it cannot be used, leaves it and connects anew. */
  noteOutcome(client: Client, error: unknown): void
  close(): void
}

/**
 * Connects for ever, and anew if the node is a replica or part of a cluster: after a failover the same address may lead
 * to another node, while a replica would accept and lose every message. Each new connection is probed before it is used,
 * and then with every ping.
 */
function connectUsable(open: () => Client, inTime: Sender, log: Logger): CommandConnection {
  const outages = logOutages(log)
  let current: Client
  let unusable: Error | null = new Error('Redis has not responded yet')
  let retry: NodeJS.Timeout | undefined

  const lost = (error: Error): void => {
    unusable = error
    outages.begin(error)
  }
  const refuse = (client: Client, refusal: NodeRefused): void => {
    if (client !== current || !client.isOpen) return
    lost(refusal)
    client.destroy()
    retry = setTimeout(start, reconnectDelay(Number.POSITIVE_INFINITY)).unref()
  }
  const noteOutcome = (client: Client, error: unknown): void => {
    const refusal = refusalOf(error)
    if (refusal !== null) refuse(client, refusal)
  }
  const probe = async (client: Client): Promise<void> => {
    try {
      await inTime(() => client.del(probeKeys))
    } catch (error) {
      noteOutcome(client, error)
    }
    if (client !== current || !client.isReady) return
    unusable = null
    outages.end()
  }
  const start = (): void => {
    const client = open()
    current = client
    client.on('error', lost)
    client.on('ready', () => void probe(client))
    client.on('ping-interval', () => void probe(client))
    connect(client)
  }
  start()
  return {
    client() {
      if (unusable !== null) throw unusable
      return current
    },
    noteOutcome,
    close() {
      clearTimeout(retry)
      outages.close()
      if (current.isOpen) current.destroy()
    },
  }
}

/**
 * Opens Redis in the background: this returns at once, and commands fail at once while Redis cannot be reached. It
 * reconnects for ever, and an outage is one log line at its beginning and one at its end.
 */
export function openRedis(url: string, log: Logger, options: { readonly name: string }): RedisConnection {
  const subscribers: Client[] = []
  const lag = createEventLoopLag()
  const inTime = createSender(lag)
  const commands = connectUsable(() => openClient(url, options.name), inTime, log)
  const send = async <T>(command: (client: Client) => Promise<T>): Promise<T> => {
    const client = commands.client()
    try {
      return await inTime(() => command(client))
    } catch (error) {
      commands.noteOutcome(client, error)
      throw error
    }
  }
  return {
    script(source) {
      const sha1 = createHash('sha1').update(source).digest('hex')
      return (keys, args) => {
        const given = { keys: [...keys], arguments: [...args] }
        return send(async (client) => {
          try {
            return await client.evalSha(sha1, given)
          } catch (error) {
            if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
            return client.eval(source, given)
          }
        })
      }
    },
    async publish(channel, message) {
      await send((client) => client.publish(channel, message))
    },
    subscribe(channel, subscriber) {
      // On a replica it gets the same messages.
      const own = openClient(url, `${options.name}-subscriber`)
      subscribers.push(own)
      subscribeOn(own, channel, subscriber)
      connect(own)
    },
    lag,
    async close() {
      commands.close()
      for (const one of subscribers) if (one.isOpen) one.destroy()
    },
  }
}
