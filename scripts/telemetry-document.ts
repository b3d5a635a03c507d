import type { BoundedMetric } from '#libs/telemetry/bounded-metrics.js'
import { logEvents } from './log-events.js'

function row({ name, kind, unit, labels, help }: BoundedMetric): string {
  const names = labels.map((label) => `\`${label}\``).join(', ')
  return `| \`${name}\` | ${kind} | ${unit} | ${names} | ${help.replaceAll('|', '\\|')} |`
}

/** `docs/telemetry.md`: metrics, traces and logs, with one table of every metric. */
export function telemetryDocument(instruments: readonly BoundedMetric[]): string {
  return `# Telemetry

Generated from \`libs/telemetry/catalogue.ts\` and \`scripts/log-events.ts\` by \`npm run generate\`; do not edit.

By default, Snipkeep serves no metrics and sends no traces ([variables](configuration.md)).

## Metrics

Set \`METRICS_PORT\` to serve Prometheus metrics at \`GET /metrics\` on that port; the public port never serves them.
\`METRICS_HOST\` defaults to the loopback address: metrics hold no secrets, but are not for the public.
\`METRICS_PORT=9464 npm start\` gives the gateway that port, and content, identity, activity, billing, tools and web the next free ones,
in this order. Each process logs its own (\`metrics_port\`).

Labels are route templates, names and codes from our code. Nothing a caller chooses becomes a label: no path, id, address, user agent
or account. A metric has at most 500 series, and one more for everything beyond.

| metric | kind | unit | labels | meaning |
| --- | --- | --- | --- | --- |
${instruments.map(row).join('\n')}

A metric appears once what it measures has happened or been set up. \`target_info\` names the service.
\`snipkeep_event_loop_delay_seconds\` resets with every scrape, so scrape it with one Prometheus. Each scrape of billing runs one SQL
statement on its queues, at most once a second.

## Traces

Set \`OTEL_EXPORTER_OTLP_ENDPOINT\` to send spans to a collector, as OTLP over HTTP: the request in the gateway, the call it makes, the
same call in the service, and each SQL statement by name. A span has the route template or the name of its method or statement, its
status, and the request id (\`snipkeep.request_id\`); never values, paths or messages.

A trace continues the caller's \`traceparent\`, and log lines that belong to a trace have its \`trace_id\`.
\`OTEL_TRACES_SAMPLER_ARG\` is the fraction of requests to trace. Services follow the gateway's choice, so a trace is complete or
absent. A caller's \`traceparent\` can keep a request from being traced, but cannot exceed this fraction.

Spans wait in a queue of 2,048 and are sent every two seconds, by a stopping process for at most three more. Those that don't fit, or
cannot be sent, are counted by \`snipkeep_trace_spans_dropped_total\` and slow no request. \`OTEL_EXPORTER_OTLP_HEADERS\` has a key.

## Logs

The gateway writes one JSON line per request, at most 1 KB. A process that turns an unexpected error into a
status writes one line. Errors are logged with type, message, stack and codes, but without what drivers attach to them (rows,
parameters, headers, responses) and without messages that may quote input. While something is down, a service logs the same
failure of a method once in 10 s, of a task once a minute; \`repeated\` counts the lines left out.

Every line has an \`event\` code. Match it rather than the message, which may change.

| event | level | meaning |
| --- | --- | --- |
${Object.entries(logEvents)
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .map(([event, [level, meaning]]) => `| \`${event}\` | ${level} | ${meaning} |`)
  .join('\n')}

## Dashboards and alerts

\`deploy/observability/\` has Grafana dashboards, Prometheus rules, and the configuration of both and of a collector.
[alerts.md](alerts.md) says what to do about each alert.
`
}
