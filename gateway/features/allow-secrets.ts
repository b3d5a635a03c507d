import { z } from 'zod'

const description =
  'Whether to publish `data` although it seems to contain a secret. `true` publishes it and records that in your activity; `false` refuses it with 400 `secret_found`; by default the server decides.'

/** `allow_secrets` in a body. */
export const allowSecrets = z.boolean().optional().meta({ description })

/** The same as a parameter of a query. */
export const allowSecretsText = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((word) => word === 'true')
  .optional()
  .meta({ description, type: 'boolean', enum: undefined })
