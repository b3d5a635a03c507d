import { type BoundedMetric, counter, gauge, histogram } from './bounded-metrics.js'

// All metrics of all processes: name, help, labels. Names end with the unit, those of counters with `_total`. Tests
// compare dashboards, alerts and docs/telemetry.md with this file. Metrics count whether or not anyone scrapes them;
// anything more expensive, above all the measuring of times, happens only if `telemetry.metrics` is on.

const fast = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const slow = [0.1, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800]

/** Every metric, by its name in code. */
export const metrics = {
  httpServerDuration: histogram(
    'snipkeep_http_server_request_duration_seconds',
    'Time from the head of a request to the end of its response, by the template of its route.',
    ['route', 'method', 'status_class'],
    fast,
  ),
  httpProblems: counter(
    'snipkeep_http_problems_total',
    'Error responses, by their code; those of plans are snippet_limit_reached, share_limit_reached, storage_limit_reached, data_too_large, pro_required and api_key_limit_reached.',
    ['code'],
  ),
  httpRefusedConnections: counter(
    'snipkeep_http_refused_connections_total',
    'Connections closed because of a malformed request, by the code of the response.',
    ['code'],
  ),
  httpConnections: gauge('snipkeep_http_connections', 'Open client connections of the gateway.', []),
  httpConnectionsClosed: counter(
    'snipkeep_http_connections_closed_total',
    'Connections closed because of a limit (all, client): an idle one to make room (waiting), or a new one because no other was idle (new).',
    ['limit', 'closed'],
  ),
  grpcServerDuration: histogram(
    'snipkeep_grpc_server_duration_seconds',
    'Server-side duration of a call, by method and gRPC status.',
    ['method', 'status'],
    fast,
  ),
  grpcClientDuration: histogram(
    'snipkeep_grpc_client_duration_seconds',
    'Client-side duration of a call, retries included, by method and gRPC status.',
    ['method', 'status'],
    fast,
  ),
  postgresStatementDuration: histogram(
    'snipkeep_postgres_statement_duration_seconds',
    'Duration of statements on their connection, by name and outcome (ok, error).',
    ['statement', 'outcome'],
    fast,
  ),
  postgresAcquireDuration: histogram(
    'snipkeep_postgres_pool_acquire_duration_seconds',
    'Time to get a connection from the pool, by outcome (ok, error).',
    ['pool', 'outcome'],
    fast,
  ),
  postgresPoolConnections: gauge(
    'snipkeep_postgres_pool_connections',
    'Connections of a pool by state (in_use, idle).',
    ['pool', 'state'],
  ),
  postgresPoolConnectionsMax: gauge(
    'snipkeep_postgres_pool_connections_max',
    'Maximum connections of a pool.',
    ['pool'],
  ),
  postgresPoolWaiting: gauge(
    'snipkeep_postgres_pool_waiting',
    'Callers waiting for a connection of the pool.',
    ['pool'],
  ),
  breakerOpen: gauge(
    'snipkeep_breaker_open',
    '1 while the circuit breaker of a process is open because it does not respond, else 0.',
    ['process'],
  ),
  certificateExpiry: gauge(
    'snipkeep_certificate_expiry_timestamp_seconds',
    'When the certificate of this process expires, in seconds since 1970; absent if gRPC is in plain text.',
    [],
  ),
  rateLimitDecisions: counter(
    'snipkeep_rate_limit_decisions_total',
    'Requests counted for a policy, by outcome (admitted, refused).',
    ['policy', 'outcome'],
  ),
  rateLimitFallback: gauge(
    'snipkeep_rate_limit_fallback',
    '1 while limits are counted by this process alone because Redis does not respond, else 0.',
    [],
  ),
  rateLimitFallbacks: counter(
    'snipkeep_rate_limit_fallbacks_total',
    'Times that limits fell back to counting per process.',
    [],
  ),
  callerCacheLookups: counter(
    'snipkeep_caller_cache_lookups_total',
    'Lookups in the caller cache, by outcome (hit, shared with a lookup in progress, miss).',
    ['outcome'],
  ),
  callerCacheInvalidations: counter(
    'snipkeep_caller_cache_invalidations_total',
    'Invalidations of the caller cache, by scope (account, all).',
    ['scope'],
  ),
  shareCacheLookups: counter(
    'snipkeep_share_memory_lookups_total',
    'Lookups in the share cache, by outcome (hit, shared with a lookup in progress, miss).',
    ['outcome'],
  ),
  sharePageLookups: counter(
    'snipkeep_share_page_lookups_total',
    'Lookups in the cache of share pages, by outcome (hit, shared with a lookup in progress, miss).',
    ['outcome'],
  ),
  pageCacheLookups: counter(
    'snipkeep_page_memory_lookups_total',
    'Requested pages of snippets, by outcome (unchanged and so served from the cache, changed, unknown).',
    ['outcome'],
  ),
  snippetCacheLookups: counter(
    'snipkeep_snippet_memory_lookups_total',
    'Requested small snippets, by outcome (unchanged and so served from the cache, changed, unknown).',
    ['outcome'],
  ),
  verifiedTokenLookups: counter(
    'snipkeep_verified_token_lookups_total',
    'Lookups in the cache of verified tokens, by outcome (hit, miss).',
    ['outcome'],
  ),
  jwksRefreshFailures: counter(
    'snipkeep_jwks_refresh_failures_total',
    'Attempts to fetch the keys of an issuer that failed.',
    [],
  ),
  uploadBytesInFlight: gauge(
    'snipkeep_upload_in_flight_bytes',
    'Bytes currently reserved for request bodies.',
    [],
  ),
  uploadBytesInFlightMax: gauge(
    'snipkeep_upload_in_flight_max_bytes',
    'Maximum of bytes reserved for request bodies.',
    [],
  ),
  uploadsRefused: counter(
    'snipkeep_uploads_refused_total',
    'Uploads that got 503 because the budget for request bodies was used up.',
    [],
  ),
  usageBatchesFailed: counter(
    'snipkeep_usage_batches_failed_total',
    'Failed attempts to deliver API key usage; a batch is retried until it succeeds.',
    [],
  ),
  redisUp: gauge(
    'snipkeep_redis_up',
    '1 while Redis can be reached, else 0; absent if none is configured.',
    [],
  ),
  redisOutages: counter('snipkeep_redis_outages_total', 'Times that Redis could no longer be reached.', []),
  queueDepth: gauge(
    'snipkeep_queue_depth',
    'Items of a queue that are not done, by queue (audit_entries, event_deliveries, plan_deliveries, provider_events).',
    ['queue'],
  ),
  queueOldestAge: gauge(
    'snipkeep_queue_oldest_age_seconds',
    'Age of the oldest item of a queue that is not done; 0 for an empty queue.',
    ['queue'],
  ),
  webhookLag: histogram(
    'snipkeep_webhook_lag_seconds',
    'Age of an event of the payment provider at two stages: arrived (since the provider created it) and worked_off (since it was stored here).',
    ['stage'],
    slow,
  ),
  providerEvents: counter(
    'snipkeep_provider_events_total',
    'Events of the payment provider processed, by outcome (applied, ignored: changes no plan, foreign: of an unknown customer, wrong-mode: live in test mode or the reverse).',
    ['outcome'],
  ),
  providerEventsOfOtherVersion: counter(
    'snipkeep_provider_events_other_version_total',
    'Events of the payment provider in a different version of its API than the supported one.',
    [],
  ),
  paymentProviderDuration: histogram(
    'snipkeep_payment_provider_call_duration_seconds',
    'Duration of calls to the payment provider, by operation and outcome (ok, refused, unavailable, open: rejected by the circuit breaker).',
    ['operation', 'outcome'],
    fast,
  ),
  toolJobs: gauge(
    'snipkeep_tool_jobs',
    'Tools and comparisons by lane (form, small, large) and state (running, waiting).',
    ['lane', 'state'],
  ),
  toolChildrenMemory: gauge(
    'snipkeep_tool_children_resident_bytes',
    'Resident memory of the child processes for tools and comparisons, on Linux.',
    [],
  ),
  toolJobsAborted: counter(
    'snipkeep_tool_jobs_aborted_total',
    'Jobs whose child process ended before they did, mostly for lack of memory.',
    ['kind'],
  ),
  damagedReads: counter(
    'snipkeep_damaged_reads_total',
    'Reads that found stored data missing or corrupt.',
    [],
  ),
  taskFailures: counter(
    'snipkeep_task_failures_total',
    'Runs of periodic tasks and items of queues that failed unexpectedly, by task.',
    ['task'],
  ),
  spansDropped: counter(
    'snipkeep_trace_spans_dropped_total',
    'Spans that could not be delivered to the collector.',
    [],
  ),
  eventLoopDelay: gauge(
    'snipkeep_event_loop_delay_seconds',
    'Delay of the event loop since the last scrape, by quantile (0.5, 0.99, 1).',
    ['quantile'],
  ),
  processCpu: counter('process_cpu_seconds_total', 'Processor time of the process, user and system.', []),
  processMemory: gauge('process_resident_memory_bytes', 'Resident memory of the process.', []),
  heapUsed: gauge('nodejs_heap_used_bytes', 'Used heap of the process.', []),
  activeResources: gauge('nodejs_active_resources', 'Open handles and requests of the process.', []),
  processStart: gauge('process_start_time_seconds', 'Start of the process, in seconds since 1970.', []),
}

/** The same as a list. */
export const catalogue: readonly BoundedMetric[] = Object.values(metrics)
