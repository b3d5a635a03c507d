import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

/**
 * A logger that writes one JSON line an event, with `service` and an RFC 3339 `time`. Callers list the fields that
 * they log; secrets, tokens and bodies are never among them, and these paths are blanked should one slip in.
 */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    base: { service },
    level,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
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
