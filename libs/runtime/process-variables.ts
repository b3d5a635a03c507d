import { choice, integer } from '../config/variables.js'

/** What every process reads. */
export const processVariables = {
  NODE_ENV: choice(
    '`production` refuses development parts, default secrets and plain text where it would give callers away, and tells nobody the protocol (gRPC reflection).',
    ['development', 'production', 'test'],
    'development',
  ),
  LOG_LEVEL: choice(
    'The least severe events that are logged.',
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    'info',
  ),
  SHUTDOWN_DELAY_MS: integer(
    'Milliseconds that a stopping process says it is not ready before it refuses connections: as long as load balancers need to notice. Part of SHUTDOWN_GRACE_MS.',
    { min: 0 },
    100,
  ),
  SHUTDOWN_GRACE_MS: integer(
    'Milliseconds that a stopping process has to finish its work.',
    { min: 0 },
    25_000,
  ),
}
