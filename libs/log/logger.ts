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

/** A logger whose lines wait until they are written in one piece. */
export interface LineBatch {
  readonly log: Logger
  /** Writes the waiting lines. */
  write(): void
}

/**
 * Collects lines for a logger's output, without redaction. The buffered output measures everything it holds
 * for each line that it gets, which took half of a line's time.
 */
export function createLineBatch(logger: Logger): LineBatch {
  const { [symbols.streamSym]: output } = logger as Logger & {
    readonly [symbols.streamSym]: DestinationStream
  }
  const lines: string[] = []
  const collect: DestinationStream = { write: (line) => lines.push(line) }
  return {
    log: Object.assign(logger.child({}, { redact: [] }), { [symbols.streamSym]: collect }),
    write() {
      if (lines.length > 0) output.write(lines.splice(0).join(''))
    },
  }
}
