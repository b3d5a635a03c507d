import { choice, integer } from '../config/variables.js'

/** The variables of every process. */
export const processVariables = {
  NODE_ENV: choice(
    '`production` refuses development parts, default secrets and plain text that would expose callers, and disables gRPC reflection.',
    ['development', 'production', 'test'],
    'development',
  ),
  LOG_LEVEL: choice(
    'The minimum severity to log.',
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    'info',
  ),
  SHUTDOWN_DELAY_MS: integer(
    'How long a stopping process reports not ready before it refuses connections, in milliseconds: the time load balancers need to notice. Part of SHUTDOWN_GRACE_MS.',
    { min: 0 },
    100,
  ),
  SHUTDOWN_GRACE_MS: integer(
    'How long a stopping process may take to finish its work, in milliseconds.',
    { min: 0 },
    25_000,
  ),
}
