import { crc32 } from '../token-rules.js'

/** Random numbers from 0 to below 1. */
export type Random = () => number

const digits = '0123456789'
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const lower = upper.toLowerCase()
const alnum = `${digits}${upper}${lower}`
const url = `${alnum}_-`
const hex = '0123456789abcdef'

function some(random: Random, characters: string, length: number): string {
  return Array.from({ length }, () => characters[Math.floor(random() * characters.length)]).join('')
}

function checksumOf(text: string): string {
  let rest = crc32(text)
  let result = ''
  for (let at = 0; at < 6; at += 1) {
    result = `${alnum[rest % 62]}${result}`
    rest = Math.floor(rest / 62)
  }
  return result
}

type Make = (random: Random) => string

const plain =
  (start: string, characters: string, length: number): Make =>
  (random) =>
    start + some(random, characters, length)

const checked =
  (start: string): Make =>
  (random) => {
    const body = some(random, alnum, 30)
    return `${start}${body}${checksumOf(body)}`
  }

const own =
  (start: string): Make =>
  (random) => {
    const text = `${start}${some(random, alnum, 34)}`
    return `${text}${checksumOf(text)}`
  }

function jwt(random: Random): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const payload = { sub: some(random, alnum, 12), exp: 4_102_444_800 }
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(payload)}.${some(random, url, 43)}`
}

const secrets: readonly (readonly [string, Make, string?])[] = [
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((start) => ['github-token', checked(start)] as const),
  [
    'github-fine-grained-token',
    (random) => `github_pat_${some(random, alnum, 22)}_${some(random, alnum, 59)}`,
  ],
  ['gitlab-token', plain('glpat-', url, 20)],
  ['npm-token', checked('npm_')],
  ['pypi-token', plain('pypi-AgEIcHlwaS5vcmc', url, 130)],
  ['aws-access-key', plain('AKIA', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)],
  ['aws-secret-key', plain('', `${alnum}/+`, 40), 'aws_secret_access_key = '],
  ['google-api-key', plain('AIza', url, 35)],
  ['google-client-secret', plain('GOCSPX-', url, 28)],
  ['digitalocean-token', plain('dop_v1_', hex, 64)],
  ['azure-storage-key', (random) => `${some(random, alnum, 86)}==`, 'AccountKey='],
  ['stripe-key', plain('sk_live_', alnum, 24)],
  ['stripe-key', plain('rk_live_', alnum, 99)],
  ['webhook-secret', plain('whsec_', alnum, 32)],
  ['shopify-token', plain('shpat_', hex, 32)],
  [
    'slack-token',
    (random) => `xoxb-${some(random, digits, 12)}-${some(random, digits, 12)}-${some(random, alnum, 24)}`,
  ],
  [
    'slack-webhook',
    (random) => `T${some(random, upper, 10)}/B${some(random, upper, 10)}/${some(random, alnum, 24)}`,
    'https://hooks.slack.com/services/',
  ],
  ['sendgrid-key', (random) => `SG.${some(random, url, 22)}.${some(random, url, 43)}`],
  ['anthropic-key', plain('sk-ant-api03-', url, 95)],
  ['openai-key', plain('sk-proj-', url, 120)],
  ['huggingface-token', plain('hf_', `${upper}${lower}`, 34)],
  ['groq-key', plain('gsk_', alnum, 52)],
  ['snipkeep-key', own('snk_')],
  ['snipkeep-key', own('snx_')],
  ['age-key', plain('AGE-SECRET-KEY-1', 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)],
  ['jwt', jwt],
  ['private-key', plain('', `${alnum}+/`, 64), '-----BEGIN RSA PRIVATE KEY-----\n'],
  ['private-key', plain('', `${alnum}+/`, 64), '-----BEGIN PRIVATE KEY-----\r\n'],
  ['private-key', plain('', `${alnum}+/`, 70), '-----BEGIN OPENSSH PRIVATE KEY-----\n'],
]

/** A made-up secret of a certain rule, valid by its format. */
export interface PlantedSecret {
  readonly rule: string
  readonly make: Make
  /** What comes before it, and is no part of it. */
  readonly before: string
}

/** One or more of the rules that matter most. */
export const plantedSecrets: readonly PlantedSecret[] = secrets.map(([rule, make, before = '']) => ({
  rule,
  make,
  before,
}))
