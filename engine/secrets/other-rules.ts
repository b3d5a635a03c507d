import { checkToken, isPlaceholder, type SecretMatch, type SecretRule, tokenEnd } from './secret-rule.js'

/** The payload of a JSON Web Token; `null` for anything else. */
function payloadOf(encoded: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : null
  } catch {
    return null
  }
}

/** A token that has expired, or never says when, harms no one who cannot forge it; the role `anon` is public. */
function checkJwt({ text }: SecretMatch, nowMs: number): boolean | null {
  const payload = payloadOf(text.split('.')[1] ?? '')
  const expires = payload?.exp
  return typeof expires === 'number' && expires * 1_000 > nowMs && payload?.role !== 'anon' ? true : null
}

/** Passwords that documents use as examples, and what a program replaces. */
const examplePassword =
  /^(pass(w(or)?d?)?|pwd?|secret|token|key|test|user(name)?|admin|root|guest|changeme|hunter2|foo|bar|baz|abc|123456?|x+|\*+|\.+|-+)\d*$/i
/** Hosts that documents use as examples, or that only its owner can reach. */
const exampleHost =
  /^(localhost|[^.:]+|127\..*|\[.*|0\.0\.0\.0|10\..*|192\.168\..*|.*\.(test|example|invalid|localhost|local|internal)|(.*\.)?example\.[a-z]+)(:|$)/i

/** Whether this is a password for a host that others can reach. */
function checkUrl({ text, secret }: SecretMatch): boolean | null {
  const password = secret.slice(secret.indexOf(':') + 1)
  const host = /@([^/?#"'\s]*)/.exec(text)?.[1] ?? ''
  const isExample =
    examplePassword.test(password) || /[<>{}$%[\]]|\.\.\./.test(secret) || isRepeated(password)
  return isExample || exampleHost.test(host) || password.length < 6 ? null : false
}

function isRepeated(text: string): boolean {
  return new Set(text).size < 4
}

/** Whether a value looks random: letters and digits, and no placeholder. */
function checkValue({ secret }: SecretMatch): boolean | null {
  const isRandom = /[0-9]/.test(secret) && /[A-Za-z]/.test(secret) && !isPlaceholder(secret)
  // Tokens with a format of their own are judged by their own rules.
  return isRandom && !/^(eyJ|gh[a-z]_|github_pat_|sn[kx]_)/.test(secret) ? false : null
}

const quoted = '["\'\\\\]{0,3}'

/** Secrets that are not tokens, and those that are only likely. */
export const otherRules: readonly SecretRule[] = [
  {
    id: 'private-key',
    name: 'a private key',
    certain: true,
    starts: ['-----BEGIN '],
    reach: 512,
    rest: /(?:[A-Z0-9]{2,10} )?PRIVATE KEY(?: BLOCK)?-----[\s,"]{1,8}(?:[A-Za-z-]+: [^\n]{1,80}\n+){0,4}(?<secret>[A-Za-z0-9+/=]{40,80})/y,
    least: 2,
    anywhere: true,
    shown: '-----BEGIN … PRIVATE KEY-----',
    hasEndLine: true,
    // With its password it is as good as one without.
    check: ({ text, secret }) =>
      new Set(secret).size < 6 ? null : !/^-----BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(text),
  },
  {
    id: 'age-key',
    name: 'an age key',
    certain: true,
    starts: ['AGE-SECRET-KEY-1'],
    rest: new RegExp(`[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}${tokenEnd}`, 'y'),
    least: 58,
    check: checkToken,
  },
  {
    id: 'jwt',
    name: 'a JSON Web Token that has not expired',
    certain: true,
    // The header is `{"` and the first letter of a name, in base64.
    starts: [...'0123456hijklmnopqrstuvwxyz'].map((letter) => `eyJ${letter}`),
    reach: 2_048,
    rest: new RegExp(
      `[A-Za-z0-9_-]{8,1000}\\.eyJ[A-Za-z0-9_-]{8,1400}\\.[A-Za-z0-9_-]{16,700}${tokenEnd}`,
      'y',
    ),
    least: 8,
    check: checkJwt,
  },
  {
    id: 'aws-secret-key',
    name: 'an AWS secret key',
    certain: true,
    starts: ['aws_secret_access_key', 'AWS_SECRET_ACCESS_KEY', 'SecretAccessKey', 'secretAccessKey'],
    rest: new RegExp(
      `${quoted}\\s{0,4}[=:]\\s{0,4}${quoted}(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])`,
      'y',
    ),
    least: 0,
    anywhere: true,
    check: checkToken,
  },
  {
    id: 'azure-storage-key',
    name: 'an Azure storage key',
    certain: true,
    starts: ['AccountKey='],
    rest: /(?<secret>[A-Za-z0-9+/]{86}==)/y,
    least: 0,
    check: checkToken,
  },
  {
    id: 'slack-webhook',
    name: 'a Slack webhook',
    certain: true,
    starts: ['hooks.slack.com'],
    rest: new RegExp(
      `/(?:services|workflows|triggers)/(?<secret>[A-Za-z0-9]{8,15}/[A-Za-z0-9]{8,15}/[A-Za-z0-9]{20,30})${tokenEnd}`,
      'y',
    ),
    least: 0,
    anywhere: true,
    check: checkToken,
  },
  {
    id: 'discord-webhook',
    name: 'a Discord webhook',
    certain: true,
    starts: ['discord.com', 'discordapp.com'],
    rest: new RegExp(`/api/webhooks/[0-9]{17,20}/(?<secret>[A-Za-z0-9_-]{60,72})${tokenEnd}`, 'y'),
    least: 0,
    anywhere: true,
    check: checkToken,
  },
  {
    id: 'url-password',
    name: 'a password in a URL',
    certain: false,
    starts: ['s', 'p', 'l', 'b', 'v', 'h'].flatMap((last) => [`${last}://`, `${last}:\\/\\/`]),
    anywhere: true,
    shown: '://…@',
    hasAuthority: true,
    rest: /(?<secret>[^\s/?#"'@\\:]{0,64}:[^\s/?#"'@\\]{1,128})@[^\s/?#"'\\]{1,255}/y,
    least: 0,
    check: checkUrl,
  },
  {
    id: 'bearer-token',
    name: 'a bearer token',
    certain: false,
    starts: ['Bearer ', 'bearer '],
    reach: 512,
    rest: /(?<secret>[A-Za-z0-9._~+/-]{20,500})(?![A-Za-z0-9._~+/-])/y,
    least: 8,
    check: checkValue,
  },
  {
    id: 'cookie',
    name: 'a session cookie',
    certain: false,
    starts: ['Cookie', 'cookie'],
    reach: 1_024,
    rest: new RegExp(
      `${quoted}\\s{0,4}[:,]\\s{0,20}(?:${quoted}value${quoted}\\s{0,4}:\\s{0,4})?${quoted}(?:[A-Za-z0-9_.-]{1,60}=[^;\\s"']{0,200};\\s{0,2}){0,20}[A-Za-z0-9_.-]{0,40}(?:sess|sid|auth|token|jwt)[A-Za-z0-9_.-]{0,40}=(?<secret>[A-Za-z0-9%._~+/-]{16,500})`,
      'iy',
    ),
    least: 0,
    anywhere: true,
    check: checkValue,
  },
]
