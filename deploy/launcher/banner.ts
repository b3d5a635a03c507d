export interface BannerFacts {
  /** The address that callers see. */
  readonly publicUrl: string
  /** The address of the gateway on this machine. */
  readonly localUrl: string
  /** `null` if other issuers are configured. */
  readonly issuerUrl: string | null
  /** `null` without the payment sandbox. */
  readonly sandboxUrl: string | null
  /** Variables that the token command needs, such as `DATA_DIR=/tmp/x `; usually empty. */
  readonly tokenEnv: string
  readonly dataDir: string
  readonly secondsToStart: number
}

const save = `{"tool":"json-to-csv","title":"Team","data":{"csv":"name,role\\nAda,engineer\\nGrace,admiral\\n"}}`
const json = `-H 'Content-Type: application/json'`
const rule = '─'.repeat(78)

/** A token line and curl lines; pasted into a shell in order, they show the whole workflow. */
export function curlLines(facts: BannerFacts): readonly string[] {
  const token =
    facts.issuerUrl === null
      ? `TOKEN='an ID token of your issuer'`
      : `TOKEN=$(${facts.tokenEnv}npm run --silent token -- free)`
  const url = facts.localUrl
  const auth = `-H "Authorization: Bearer $TOKEN"`
  const idOf = `| sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p'`
  return [
    token,
    `ID=$(curl -s ${url}/api/snippets ${auth} ${json} -d '${save}' ${idOf}); echo "$ID"`,
    `curl -s ${url}/api/snippets ${auth}; echo`,
    `curl -s "${url}/api/snippets/$ID/raw?pointer=/csv" ${auth}`,
    `SHARE=$(curl -s ${url}/api/shares ${auth} ${json} -d '${save}' ${idOf}); echo "$SHARE"`,
    `curl -s "${url}/api/shares/$SHARE"; echo`,
    `echo "${facts.publicUrl}/s/$SHARE"`,
    ...(facts.sandboxUrl === null ? [] : [payLine(url, auth)]),
    ...(facts.issuerUrl === null ? [] : keyLines(facts, idOf)),
    cliLine(facts),
  ]
}

/** A call of the command line, with a file in this folder. */
function cliLine({ localUrl, issuerUrl }: BannerFacts): string {
  const credential = issuerUrl === null ? 'SNIPKEEP_TOKEN="$TOKEN"' : 'SNIPKEEP_KEY="$KEY"'
  return `SNIPKEEP_SERVER=${localUrl} ${credential} npm run --silent cli -- share README.md`
}

/** Takes the token's user to Pro. */
function payLine(url: string, auth: string): string {
  const linkOf = `| sed -n 's/.*"checkout_url":"\\([^"]*\\)".*/\\1/p'`
  const ask = `curl -s ${url}/api/subscription/checkout ${auth} ${json} -d '{"interval":"month"}'`
  return `PAY=$(${ask} ${linkOf}); echo "Open $PAY and press Pay: then this user is Pro."`
}

/** Creates an API key of the Pro user, and saves and fetches a snippet with it. */
function keyLines({ localUrl: url, tokenEnv }: BannerFacts, idOf: string): readonly string[] {
  const pro = `-H "Authorization: Bearer $(${tokenEnv}npm run --silent token -- pro)"`
  const keyOf = `| sed -n 's/.*"key":"\\([^"]*\\)".*/\\1/p'`
  const auth = '-H "X-API-Key: $KEY"'
  return [
    `KEY=$(curl -s ${url}/api/keys ${pro} ${json} -d '{"name":"CI"}' ${keyOf}); echo "$KEY"`,
    `ID=$(curl -s ${url}/api/snippets ${auth} ${json} -d '${save}' ${idOf}); echo "$ID"`,
    `curl -s "${url}/api/snippets/$ID/raw?pointer=/csv" ${auth}`,
  ]
}

/** Printed once the system responds. Each command is on its own line, ready to copy. */
export function banner(facts: BannerFacts): string {
  const users =
    facts.issuerUrl === null
      ? ['Sign-in   with the issuers in OIDC_ISSUERS']
      : [
          `Sign-in   ${facts.issuerUrl} (development only: any name, no password)`,
          `Tokens    ${facts.tokenEnv}npm run --silent token -- free    for a user on the Free plan`,
          `          ${facts.tokenEnv}npm run --silent token -- pro     for a user with Pro`,
        ]
  return [
    '',
    rule,
    `Snipkeep is running at ${facts.publicUrl}   (started in ${facts.secondsToStart.toFixed(1)} s)`,
    '',
    `Dashboard ${facts.publicUrl}/dashboard`,
    `API docs  ${facts.publicUrl}/api/docs`,
    ...users,
    ...(facts.sandboxUrl === null ? [] : [`Payments  ${facts.sandboxUrl} (a sandbox: no money moves)`]),
    `Data      ${facts.dataDir}   (logs in ${facts.dataDir}/logs)`,
    '',
    'Try it: paste these lines into another terminal, in this folder.',
    '',
    ...curlLines(facts),
    '',
    'Ctrl-C stops everything.',
    rule,
    '',
  ].join('\n')
}
