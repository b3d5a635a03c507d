/** Who a verified token is about, and what it tells of them. */
export interface IdentityClaims {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly emailVerified: boolean
  readonly name: string | null
  readonly picture: string | null
}

/** Seconds by which clocks may differ, and the oldest token that is taken. */
const skewSeconds = 60
const ageSecondsMax = 86_400

type Payload = Readonly<Record<string, unknown>>

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function timesHold({ exp, iat, nbf }: Payload, nowSeconds: number): boolean {
  return (
    isTime(exp) &&
    isTime(iat) &&
    nowSeconds < exp + skewSeconds &&
    iat <= nowSeconds + skewSeconds &&
    nowSeconds - iat <= ageSecondsMax + skewSeconds &&
    (nbf === undefined || (isTime(nbf) && nbf <= nowSeconds + skewSeconds))
  )
}

/** OpenID Connect Core §3.1.3.7: we are the audience, and of several the token names us as its authorised party. */
function audienceHolds({ aud, azp }: Payload, audience: string): boolean {
  if (azp !== undefined && azp !== audience) return false
  if (aud === audience) return true
  if (!Array.isArray(aud) || !aud.every((one) => typeof one === 'string') || !aud.includes(audience))
    return false
  return new Set(aud).size === aud.length && (aud.length === 1 || azp === audience)
}

function text(value: unknown, lengthMax: number): string | null {
  if (typeof value !== 'string') return null
  const plain = value.replaceAll(/[\p{Cc}\p{Cs}]/gu, '').trim()
  return plain === '' || [...plain].length > lengthMax ? null : plain
}

function httpsUrl(value: unknown): string | null {
  const url = text(value, 2_048)
  return url !== null && URL.canParse(url) && new URL(url).protocol === 'https:' ? url : null
}

/** The claims of a token for this issuer and audience, or `null` when it is not good now. */
export function readClaims(
  payload: Payload,
  issuer: string,
  audience: string,
  nowMs: number,
): IdentityClaims | null {
  const { sub: subject } = payload
  if (payload.iss !== issuer || !audienceHolds(payload, audience) || !timesHold(payload, nowMs / 1_000))
    return null
  if (typeof subject !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(subject)) return null
  const email = text(payload.email, 320)
  return {
    issuer,
    subject,
    email,
    emailVerified: email !== null && payload.email_verified === true,
    name: text(payload.name, 200),
    picture: httpsUrl(payload.picture),
  }
}
