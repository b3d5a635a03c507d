/** A guide that `/docs` serves. */
export interface ListedGuide {
  /** Of its file in `docs/`, without `.md`. */
  readonly name: string
  /** What it says, for lists and search engines. */
  readonly summary: string
}

/** All of them, as they are listed. Links to other pages of `docs/` become plain text. */
export const guideGroups: readonly { readonly title: string; readonly guides: readonly ListedGuide[] }[] = [
  {
    title: 'Save, share and fetch',
    guides: [
      { name: 'using-the-api', summary: 'Snippets, shares, gates, keys, versions and export, with curl.' },
      { name: 'cli', summary: 'Save, share, compare and convert files from a terminal with snipkeep.' },
      { name: 'sdk', summary: 'The client for Node, Deno, Bun, Cloudflare Workers and browsers.' },
      { name: 'mcp', summary: 'Let an assistant save what it made, read it back, and publish it.' },
      { name: 'web', summary: 'Share pages, tools, comparisons, embedding and the dashboard.' },
    ],
  },
  {
    title: 'Pipelines',
    guides: [
      { name: 'ci', summary: 'Save and link what jobs make, without a secret: GitHub Actions and GitLab.' },
      {
        name: 'contracts',
        summary: 'Rules for the next version of an output; what breaks them waits for approval.',
      },
      { name: 'recipes', summary: 'Scripts to copy: shell, GitHub, GitLab, Buildkite, Jenkins, cron, make.' },
    ],
  },
  {
    title: 'Details',
    guides: [
      { name: 'tools', summary: 'Every tool that formats or converts: its options, and what it keeps.' },
      { name: 'compare', summary: 'How two JSON, CSV or text documents are compared, and what is equal.' },
      {
        name: 'limits',
        summary: 'What the plans include, how many requests are allowed, and what 429 says.',
      },
    ],
  },
  {
    title: 'Run your own server',
    guides: [
      { name: 'operations', summary: 'Install, upgrade and look after a server of your own.' },
      { name: 'growing', summary: 'In which order to grow, what each step brings, and what it takes.' },
      { name: 'configuration', summary: 'Every environment variable, with its meaning and default.' },
      { name: 'reverse-proxy', summary: 'Configurations for nginx, Caddy, HAProxy and Traefik.' },
      { name: 'sign-in', summary: 'Which OpenID Connect issuers fit, and how to set them up.' },
      { name: 'backup', summary: 'What to back up, how to restore it, and a drill that proves it.' },
      { name: 'documents-in-s3', summary: 'Store large data in S3 or any store that is compatible with it.' },
      { name: 'payments', summary: 'Sell Pro with Stripe, give it away, or sell nothing.' },
      { name: 'telemetry', summary: 'Metrics, traces and the events of the log.' },
      { name: 'alerts', summary: 'What each alert means, and what to do about it.' },
      { name: 'privacy', summary: 'What is kept about people, where, and for how long.' },
    ],
  },
]
