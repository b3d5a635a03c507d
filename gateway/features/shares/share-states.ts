import { ShareState } from '#proto/snipkeep/content/v1/share_service.js'

/** The states by which shares are listed. */
export const shareStates = {
  live: ShareState.SHARE_STATE_LIVE,
  expired: ShareState.SHARE_STATE_EXPIRED,
  all: ShareState.SHARE_STATE_ALL,
} as const
