import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { telemetry } from '../telemetry/telemetry.js'
import { errorFields } from './error-fields.js'

export type { DestinationStream, Logger }

/** The trace that a line belongs to, where the process traces; a line that says it itself is not asked. */
function traced(): Pick<LoggerOptions, 'mixin'> {
  if (telemetry.traces === null) return {}
  return {
    mixin: () => {
      const span = telemetry.traces?.current()
      return span === null || span === undefined ? {} : { trace_id: span.traceId }
    },
  }
}

let lastMs = Number.NaN
let lastField = ''

/** The time as a field of a line; lines are written together, and those of one millisecond share one. */
function timeField(): string {
  const now = Date.now()
  if (now !== lastMs) {
    lastMs = now
    lastField = `,"time":"${new Date(now).toISOString()}"`
  }
  return lastField
}

/**
 * A logger that writes one JSON line an event, with `service` and an RFC 3339 `time`. Callers list the fields that
 * they log; secrets, tokens and bodies are never among them, and these paths are blanked should one slip in.
 * Where the process traces, telemetry is opened before its logger.
 */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    base: { service },
    level,
    timestamp: timeField,
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
  return destination === undefined ? pino(options) : pino(options, destination)
}
