import { type DestinationStream, destination, type Logger, type LoggerOptions, pino, symbols } from 'pino'
import { telemetry } from '../telemetry/telemetry.js'
import { errorFields } from './error-fields.js'

export type { DestinationStream, Logger }

/** The current trace of a line, if the process traces; a line with its own trace keeps it. */
function traced(): Pick<LoggerOptions, 'mixin'> {
  if (telemetry.traces === null) return {}
  return {
    mixin: () => {
      const span = telemetry.traces?.current()
      return span === null || span === undefined ? {} : { trace_id: span.traceId }
    },
  }
}

/**
 * The field `time`, formatted once per millisecond: formatting it for every line took a third of the line's
 * time.
 */
function createTimestamp(): () => string {
  let at = 0
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== at) {
      at = now
      text = `,"time":"${new Date(now).toISOString()}"`
    }
    return text
  }
}

/**
 * Standard output, written in batches because a write for each line costs more than most rejections. pino flushes
 * when the process exits and after a fatal line; only a killed process loses the last lines.
 */
export function bufferedOutput(): DestinationStream {
  return destination({ dest: 1, minLength: 8_192, periodicFlush: 50, sync: false })
}

/**
 * A logger that writes one JSON line per event, with `service` and an RFC 3339 `time`. Callers list the fields that
 * they log; secrets, tokens and bodies are never among them, and these paths are redacted in case one slips in. If
 * the process traces, open telemetry before its logger.
 */
export function createLogger(service: string, level: string, output?: DestinationStream): Logger {
  const options: LoggerOptions = {
    base: { service },
    level,
    timestamp: createTimestamp(),
    ...traced(),
    serializers: { err: errorFields },
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: [
        'authorization',
        'cookie',
        'password',
        'token',
        '*.authorization',
        '*.cookie',
        '*.password',
        '*.token',
        '*["x-api-key"]',
      ],
      censor: '[redacted]',
    },
  }
  return output === undefined ? pino(options) : pino(options, output)
}

/** Lines that wait until they are written in one piece. */
export interface LineBatch {
  /** @param fields of a JSON object, without its braces. They are not redacted. */
  add(level: 'debug' | 'info', fields: string): void
  /** Writes the waiting lines. */
  write(): void
}

/** What pino's lines begin with: the level, the time and the fields of their logger. */
interface LineHead {
  readonly [symbols.lsCacheSym]: Readonly<Record<number, string>>
  readonly [symbols.timeSym]: () => string
  readonly [symbols.chindingsSym]: string
  readonly [symbols.streamSym]: DestinationStream
}

/**
 * Collects lines for a logger's output. The caller writes their fields, because pino takes a tenth of a cached read
 * to stringify a line, and its buffered output measures everything it holds for each line that it gets.
 */
export function createLineBatch(logger: Logger): LineBatch {
  const {
    [symbols.lsCacheSym]: levels,
    [symbols.timeSym]: time,
    [symbols.chindingsSym]: bound,
    [symbols.streamSym]: output,
  } = logger as Logger & LineHead
  let lines = ''
  return {
    add(level, fields) {
      if (!logger.isLevelEnabled(level)) return
      lines += `${levels[logger.levels.values[level] ?? 0]}${time()}${bound},${fields}}\n`
    },
    write() {
      if (lines !== '') output.write(lines)
      lines = ''
    },
  }
}
