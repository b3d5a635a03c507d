import { fraction, httpUrl, list, optional, port, secret, text, type Values } from '../config/variables.js'

/** A header in OpenTelemetry's notation: delimiters in the value are percent-encoded. */
function header(item: string): readonly [name: string, value: string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)=(.*)$/.exec(item) ?? []
  try {
    if (name !== undefined && value !== undefined) return [name, decodeURIComponent(value.trim())]
  } catch {
    // The error below does not include the value.
  }
  throw new Error('a comma-separated list of name=value, percent-encoded where a value holds a comma')
}

/** The telemetry variables of a process. */
export const telemetryVariables = {
  METRICS_PORT: optional(
    port(
      'The port that serves `GET /metrics` for Prometheus; 0 picks a free one. Unset, nothing is measured. With `npm start` it is the port of the gateway; content, identity, activity, billing and web use the next free ones, in this order.',
    ),
  ),
  METRICS_HOST: text('The address that serves metrics. Never use one that strangers can reach.', '127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    httpUrl(
      'An OpenTelemetry collector that accepts OTLP over HTTP, such as `http://collector:4318`. Unset, nothing is traced.',
    ),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: secret(
    list('Comma-separated headers for the collector, such as `authorization=Bearer%20…`.', header, []),
  ),
  OTEL_TRACES_SAMPLER_ARG: fraction('The fraction of requests to trace, from 0 to 1.', 1),
}

/** The listening address of the metrics. */
export interface MetricsAddress {
  readonly host: string
  readonly port: number
}

/** The destination and sampling of spans. */
export interface TracesConfig {
  /** The collector's base URL. */
  readonly endpoint: string
  readonly share: number
  /** Headers for every export, such as a key. */
  readonly headers: Readonly<Record<string, string>>
}

/** The telemetry of a process; `null` for none. */
export interface TelemetryConfig {
  readonly metrics: MetricsAddress | null
  readonly traces: TracesConfig | null
}

/** The telemetry that these variables describe. */
export function telemetryConfig(values: Values<typeof telemetryVariables>): TelemetryConfig {
  const { METRICS_PORT: metricsPort, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = values
  return {
    metrics: metricsPort === null ? null : { host: values.METRICS_HOST, port: metricsPort },
    traces:
      endpoint === null
        ? null
        : {
            endpoint,
            share: values.OTEL_TRACES_SAMPLER_ARG,
            headers: Object.fromEntries(values.OTEL_EXPORTER_OTLP_HEADERS),
          },
  }
}
