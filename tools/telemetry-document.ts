import type { Instrument } from '#libs/telemetry/instruments.js'

function row({ name, kind, unit, labels, help }: Instrument): string {
  const names = labels.map((label) => `\`${label}\``).join(', ')
  return `| \`${name}\` | ${kind} | ${unit} | ${names} | ${help.replaceAll('|', '\\|')} |`
}

/** `docs/telemetry.md`: what processes tell, with one table of every metric. */
export function telemetryDocument(instruments: readonly Instrument[]): string {
  return `# Telemetry

Generated from \`libs/telemetry/catalogue.ts\` by \`npm run generate\`; do not edit.

Nothing is measured or traced unless it is asked for, and what it takes is loaded only then. The variables are in
[configuration.md](configuration.md).

## Metrics

With \`METRICS_PORT\` a process answers \`GET /metrics\` there in the format of Prometheus, and anything else with 404; the public port
never does. \`METRICS_HOST\` is the loopback address unless it is set: metrics hold no secrets, but they are nobody else's
business. \`METRICS_PORT=9464 npm start\` gives the gateway that port, and content, identity, activity, billing and web the free
ones after it, in this order; each says its own in its log (\`metrics_port\`).

A label is a template of a route, a name or a code of ours. Nothing that a caller chooses becomes one: no path, id, address, user
agent or account. An instrument has at most 500 series, and one for everything beyond.

| metric | kind | unit | labels | meaning |
| --- | --- | --- | --- | --- |
${instruments.map(row).join('\n')}

A figure is missing until what it counts has happened or been set up. \`target_info\` names the service.
\`snipkeep_event_loop_delay_seconds\` starts anew with every scrape, so with two who scrape each sees a part. To scrape billing
costs one statement on its queues, at most once a second.

A request that is refused again before anything looks at it (decision [0024](decisions/0024-refused-again-before-anything-else.md))
is counted like any other, and has no span.

## Traces

With \`OTEL_EXPORTER_OTLP_ENDPOINT\` every process sends spans to a collector, as OTLP over HTTP: the request in the gateway, the
call that it makes, the same call in the service, and each statement by its name. A span has the template of its route or the
name of its method or statement, its status, and the id of the request (\`snipkeep.request_id\`); never values, paths or messages.

A trace goes on from the \`traceparent\` of whoever asks, and lines of the log that belong to one have its \`trace_id\`.
\`OTEL_TRACES_SAMPLER_ARG\` is the share of requests that are traced. Services do as the gateway did, so a trace is whole or not there; a
stranger's \`traceparent\` can keep a request from being traced, but cannot have more traced than this share.

Spans wait in a queue of 2,048 and are sent every two seconds. A collector that cannot be reached costs no request anything: what
does not fit is thrown away, and what could not be sent is counted in \`snipkeep_trace_spans_dropped_total\`. A process that
stops sends what is left, for three seconds at most. \`OTEL_EXPORTER_OTLP_HEADERS\` is for collectors that
ask for a key.

## Logs

One JSON line for each request in the gateway, at most 1 KB, and one for each unexpected error, where it is turned into a status. Of an error
are told its type, message, stack and codes; what drivers keep beside these (rows, parameters, headers, answers) is not, and neither
is a message that may quote what was sent.

## Dashboards and alerts

\`deploy/observability/\` has dashboards for Grafana, rules for Prometheus and the configuration of both and of a collector. What
to do about an alert is in [alerts.md](alerts.md).
`
}
