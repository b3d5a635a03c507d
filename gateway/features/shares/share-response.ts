import type { Share } from '#proto/snipkeep/content/v1/share_service.js'

/** The longest time for which clients may cache a share. */
const cacheSecondsMax = 60

/** The `Cache-Control` of a share; `null` if it never expires. */
export function shareCaching(timeLeftMs: number | null): string {
  const seconds = Math.min(cacheSecondsMax, Math.floor((timeLeftMs ?? Number.POSITIVE_INFINITY) / 1_000))
  return seconds > 0 ? `public, max-age=${seconds}` : 'no-store'
}

function times(share: Share): { size_bytes: number; created_at: string; expires_at: string | null } {
  if (share.createdAt === undefined) throw new Error('content returned a share without its time')
  return {
    size_bytes: share.sizeBytes,
    created_at: share.createdAt.toISOString(),
    expires_at: share.expiresAt?.toISOString() ?? null,
  }
}

/** The gate of a share, and for its owner how it was used; nothing without a gate. */
export function gateOf({ gate }: Pick<Share, 'gate'>): Record<string, unknown> {
  if (gate === undefined) return {}
  const { hasPassword, viewsLeft, use } = gate
  const gated = { password: hasPassword, views_left: viewsLeft ?? null }
  if (use === undefined) return { gated }
  return {
    gated,
    views: use.views,
    first_viewed_at: use.firstViewedAt?.toISOString() ?? null,
    last_viewed_at: use.lastViewedAt?.toISOString() ?? null,
    failed_passwords: use.failedPasswords,
  }
}

/** `share_url` is always under the configured address, never under the `Host` of a request. */
export function shareResponses(shareBaseUrl: string) {
  const head = ({ id, tool, title }: Share): Record<string, unknown> => ({
    id,
    share_url: `${shareBaseUrl}/s/${id}`,
    tool,
    title,
  })
  return {
    /** A share without `data`. */
    summary: (share: Share) => ({ ...head(share), ...times(share), ...gateOf(share) }),
    /** The same for a list, which also has disabled shares. */
    listed: (share: Share) => ({
      ...head(share),
      ...times(share),
      ...gateOf(share),
      disabled_at: share.disabledAt?.toISOString() ?? null,
    }),
    /** What everyone may see of a gated share. */
    gateAlone: (share: Share) => ({ id: share.id, ...gateOf(share), ...times(share) }),
    /** The JSON text before and after `data`. */
    envelope: (share: Share): readonly [Buffer, Buffer] => {
      const before = JSON.stringify(head(share))
      const after = JSON.stringify({ ...times(share), ...gateOf(share) })
      return [Buffer.from(`${before.slice(0, -1)},"data":`), Buffer.from(`,${after.slice(1)}`)]
    },
  }
}

export type ShareResponses = Readonly<ReturnType<typeof shareResponses>>
