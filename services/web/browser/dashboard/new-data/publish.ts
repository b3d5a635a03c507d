import type { CallOptions, CreatedShare, NewShare, Snipkeep } from '#sdk/exports.js'
import type { Output } from '../api/use-upload.js'

/** Publishes an output. */
export function publish(
  api: Snipkeep,
  share: NewShare & Output,
  options: CallOptions,
): Promise<CreatedShare> {
  return api.shares.create(share, options)
}
