import { isPlaceholder, type SecretMatch, type SecretRule, token, tokenEnd } from './secret-rule.js'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const checksumLength = 6

/** CRC-32 (ISO 3309) of a text of ASCII. */
export function crc32(text: string): number {
  let crc = 0xffff_ffff
  for (let at = 0; at < text.length; at += 1) {
    crc ^= text.charCodeAt(at)
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ ((crc & 1) * 0xedb8_8320)
  }
  return ~crc >>> 0
}

/** Whether a text ends with the CRC-32 of what comes before, as six digits of base62: GitHub's and npm's format. */
function endsWithChecksum(text: string): boolean {
  const end = text.length - checksumLength
  let rest = crc32(text.slice(0, end))
  let digits = ''
  for (let at = 0; at < checksumLength; at += 1) {
    digits = `${base62[rest % 62]}${digits}`
    rest = Math.floor(rest / 62)
  }
  return text.slice(end) === digits
}

const alnum = 'A-Za-z0-9'
const hex = '0-9a-f'
const url = 'A-Za-z0-9_-'

/** A token whose last six characters are a checksum; with a wrong one it is only likely. */
function checked(
  id: string,
  name: string,
  starts: readonly string[],
  length: number,
  checkedText: (match: SecretMatch) => string,
): SecretRule {
  return {
    ...token(id, name, starts, alnum, length),
    check: (match) => (isPlaceholder(match.secret) ? null : endsWithChecksum(checkedText(match))),
  }
}

/** What is typical of them comes after some of their characters. */
const inTheMiddle = { anywhere: true, beginsBefore: true } as const

const ofSecret = ({ secret }: SecretMatch): string => secret
const ofText = ({ text }: SecretMatch): string => text

function shaped(
  id: string,
  name: string,
  starts: readonly string[],
  rest: string,
  least: number,
): SecretRule {
  return { ...token(id, name, starts, url, least), rest: new RegExp(`${rest}${tokenEnd}`, 'y') }
}

/**
 * Tokens by their documented formats: a start that nothing else has, then a fixed set and number of characters. No rule
 * guesses from names or randomness.
 */
export const tokenRules: readonly SecretRule[] = [
  // Where code is kept
  checked('github-token', 'a GitHub token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], 36, ofSecret),
  shaped(
    'github-fine-grained-token',
    'a GitHub token',
    ['github_pat_'],
    '[A-Za-z0-9]{22}_[A-Za-z0-9]{59}',
    82,
  ),
  token(
    'gitlab-token',
    'a GitLab token',
    ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glimt-', 'glsoat-', 'glagent-', 'gloas-'],
    url,
    20,
    128,
  ),
  shaped(
    'atlassian-token',
    'an Atlassian token',
    ['ATATT3xFfGF0', 'ATCTT3xFfGN0'],
    '[A-Za-z0-9_-]{100,250}=[A-F0-9]{8}',
    100,
  ),
  token('bitbucket-password', 'a Bitbucket app password', ['ATBB'], alnum, 32),
  token('sourcegraph-token', 'a Sourcegraph token', ['sgp_'], '0-9a-f_', 40, 60),

  // Packages and builds
  checked('npm-token', 'an npm token', ['npm_'], 36, ofSecret),
  token('pypi-token', 'a PyPI token', ['pypi-AgEIcHlwaS5vcmc', 'pypi-AgENdGVzdC5weXBpLm9yZw'], url, 50, 400),
  token('rubygems-token', 'a RubyGems key', ['rubygems_'], hex, 48),
  token('docker-token', 'a Docker Hub token', ['dckr_pat_', 'dckr_oat_'], url, 27, 40),
  token('buildkite-token', 'a Buildkite token', ['bkua_'], hex, 40),
  token('netlify-token', 'a Netlify token', ['nfp_'], alnum, 36, 40),
  token('pulumi-token', 'a Pulumi token', ['pul-'], hex, 40),
  token('sonarqube-token', 'a SonarQube token', ['sqp_', 'squ_', 'sqa_'], hex, 40),
  { ...token('terraform-token', 'a Terraform token', ['.atlasv1.'], url, 60, 70), ...inTheMiddle },

  // Clouds
  token('aws-access-key', 'an AWS access key', ['AKIA', 'ASIA'], 'A-Z2-7', 16),
  token('google-api-key', 'a Google API key', ['AIza'], url, 35),
  token('google-client-secret', 'a Google client secret', ['GOCSPX-'], url, 28),
  { ...token('google-access-token', 'a Google access token', ['ya29.'], url, 60, 1_000), reach: 1_024 },
  token('digitalocean-token', 'a DigitalOcean token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], hex, 64),
  token('alibaba-access-key', 'an Alibaba Cloud access key', ['LTAI5t'], alnum, 18),
  token('heroku-token', 'a Heroku key', ['HRKU-AA'], url, 58),
  token('databricks-token', 'a Databricks token', ['dapi'], hex, 32),
  token(
    'planetscale-token',
    'a PlanetScale credential',
    ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    url,
    32,
    64,
  ),
  token('supabase-token', 'a Supabase token', ['sbp_'], hex, 40),
  token('supabase-secret-key', 'a Supabase secret key', ['sb_secret_'], url, 31, 60),
  token('cloudflare-origin-key', 'a Cloudflare origin CA key', ['v1.0-'], '0-9a-f-', 171),
  shaped(
    'tailscale-key',
    'a Tailscale key',
    ['tskey-'],
    '[a-z]{3,8}-[A-Za-z0-9]{6,20}-[A-Za-z0-9]{20,60}',
    30,
  ),
  shaped('vault-token', 'a Vault token', ['hvs.', 'hvb.'], '[A-Za-z0-9_-]{90,300}', 90),

  // Money
  token('stripe-key', 'a Stripe live key', ['sk_live_', 'rk_live_'], alnum, 24, 247),
  token('webhook-secret', 'a webhook signing secret', ['whsec_'], alnum, 32, 64),
  token('square-token', 'a Square token', ['sq0atp-', 'sq0csp-'], url, 22, 43),
  shaped('shopify-token', 'a Shopify token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], '[0-9a-fA-F]{32}', 32),
  token('shippo-token', 'a Shippo token', ['shippo_live_'], hex, 40),
  token('easypost-key', 'an EasyPost key', ['EZAK'], alnum, 54),

  // Messages
  shaped(
    'slack-token',
    'a Slack token',
    ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-'],
    '[0-9]{9,14}-[A-Za-z0-9-]{20,130}',
    30,
  ),
  shaped(
    'slack-app-token',
    'a Slack app token',
    ['xapp-'],
    '[0-9]-[A-Z0-9]{8,15}-[0-9]{9,15}-[a-z0-9]{60,70}',
    80,
  ),
  shaped('sendgrid-key', 'a SendGrid key', ['SG.'], '[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}', 22),
  shaped('brevo-key', 'a Brevo key', ['xkeysib-'], '[0-9a-f]{64}-[A-Za-z0-9]{16}', 81),

  // Models
  token(
    'anthropic-key',
    'an Anthropic key',
    ['sk-ant-api03-', 'sk-ant-admin01-', 'sk-ant-oat01-'],
    url,
    80,
    120,
  ),
  token('openai-key', 'an OpenAI key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], url, 40, 200),
  { ...token('openai-legacy-key', 'an OpenAI key', ['T3BlbkFJ'], alnum, 20), ...inTheMiddle },
  token('openrouter-key', 'an OpenRouter key', ['sk-or-v1-'], hex, 64),
  token('huggingface-token', 'a Hugging Face token', ['hf_'], 'A-Za-z', 34),
  token('groq-key', 'a Groq key', ['gsk_'], alnum, 52),
  token('xai-key', 'an xAI key', ['xai-'], alnum, 80),
  token('perplexity-key', 'a Perplexity key', ['pplx-'], alnum, 48, 56),
  token('nvidia-key', 'an NVIDIA key', ['nvapi-'], url, 60, 70),
  shaped('langsmith-key', 'a LangSmith key', ['lsv2_pt_', 'lsv2_sk_'], '[0-9a-f]{32}_[0-9a-f]{10}', 43),

  // Tools
  shaped('grafana-token', 'a Grafana token', ['glsa_'], '[A-Za-z0-9]{32}_[0-9a-fA-F]{8}', 41),
  token('newrelic-key', 'a New Relic key', ['NRAK-'], 'A-Z0-9', 27),
  shaped('dynatrace-token', 'a Dynatrace token', ['dt0c01.'], '[A-Z0-9]{24}\\.[A-Z0-9]{64}', 24),
  shaped('sentry-token', 'a Sentry token', ['sntryu_'], '[0-9a-f]{64}', 64),
  shaped('doppler-token', 'a Doppler token', ['dp.pt.', 'dp.ct.', 'dp.sa.'], '[A-Za-z0-9]{40,44}', 40),
  shaped('postman-key', 'a Postman key', ['PMAK-'], '[0-9a-f]{24}-[0-9a-f]{34}', 59),
  token('linear-key', 'a Linear key', ['lin_api_'], alnum, 40),
  shaped('notion-token', 'a Notion token', ['ntn_'], '[0-9]{11}[A-Za-z0-9]{35}', 46),
  token('figma-token', 'a Figma token', ['figd_'], url, 40, 48),
  token('contentful-token', 'a Contentful token', ['CFPAT-'], url, 43),
  token('prefect-key', 'a Prefect key', ['pnu_'], alnum, 36),

  // This product's own
  checked('snipkeep-key', 'a Snipkeep credential', ['snk_', 'snx_'], 40, ofText),
]
