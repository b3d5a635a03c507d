import type { ClientOptions } from '@grpc/grpc-js'

/** Milliseconds that no timer reaches. */
const never = 2_147_483_647

/**
 * The options of a channel for long streams: without keepalive pings. On a connection that the server renews, the next
 * ping would end the streams that are still under way (grpc-node#3068).
 */
export function streamOptions(options: ClientOptions): ClientOptions {
  return { ...options, 'grpc.keepalive_time_ms': never }
}

/**
 * Channel options: round robin over every address of the name (a headless service), and up to two retries of the
 * retryable methods, only if the server could not be reached, throttled while most calls fail.
 * @param retryable full service names with the methods that are safe to retry.
 */
export function clientOptions(retryable: Readonly<Record<string, readonly string[]>>): ClientOptions {
  const names = Object.entries(retryable).flatMap(([service, methods]) =>
    methods.map((method) => ({ service, method })),
  )
  return {
    'grpc.enable_retries': 1,
    // The default is 30 s: in a rollout every address that was known then may be gone before the name is resolved
    // again.
    'grpc.dns_min_time_between_resolutions_ms': 1_000,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 5_000,
    // The largest response is a batch of reads.
    'grpc.max_receive_message_length': 8 * 1_024 * 1_024,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 2_000,
    'grpc.service_config': JSON.stringify({
      loadBalancingConfig: [{ round_robin: {} }],
      retryThrottling: { maxTokens: 10, tokenRatio: 0.1 },
      methodConfig: [
        {
          name: names,
          retryPolicy: {
            maxAttempts: 3,
            initialBackoff: '0.05s',
            maxBackoff: '0.5s',
            backoffMultiplier: 2,
            retryableStatusCodes: ['UNAVAILABLE'],
          },
        },
      ],
    }),
  }
}
