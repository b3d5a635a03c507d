/** Who opens a link before, or instead of, a person: its user agent, and how it asks. */
export interface PreviewAgent {
  readonly userAgent: string
  readonly pattern: AgentPattern
}

/**
 * `get`: one GET. `head`: HEAD, then GET. `range`: the first bytes only. `oembed`: the page, then its oEmbed address.
 * `links`: the page, then every address in it. `prefetch`: a GET that says it is one.
 */
export type AgentPattern = 'get' | 'head' | 'range' | 'oembed' | 'links' | 'prefetch'

const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15'
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

/** From what their makers document, or their source. */
const byPattern: Readonly<Record<AgentPattern, readonly string[]>> = {
  get: [
    'Twitterbot/1.0',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    'TelegramBot (like TwitterBot)',
    'WhatsApp/2.23.20.0 A',
    'WhatsApp/2',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
    'Mozilla/5.0 (compatible; MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview)',
    'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
    'Mozilla/5.0 (compatible; Pinterestbot/1.0; +https://www.pinterest.com/bot.html)',
    'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
    'Viber/13.3.0.22',
    'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots',
    'http.rb/5.1.1 (Mastodon/4.3.1; +https://mastodon.social/) Bot',
    'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)',
    'Synapse (bot; +https://github.com/matrix-org/synapse)',
    'Mattermost-Bot/1.1',
    'Mozilla/5.0 (compatible; Bitrix link preview)',
    'bitlybot/3.0 (+http://bit.ly/)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    'curl/8.11.0',
  ],
  range: [
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    'facebookexternalhit/1.1;line-poker/1.0',
    'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Slack-ImgProxy (+https://api.slack.com/robots)',
  ],
  head: [
    'Slackbot 1.0 (+https://api.slack.com/robots)',
    'Barracuda Sentinel (EE)',
    'LinkCheck by Siteimprove.com',
    'W3C-checklink/4.81 libwww-perl/6.05',
    'Wget/1.24.5',
    chrome,
  ],
  oembed: [
    'WordPress/6.7; https://blog.example',
    'Iframely/1.3.1 (+https://iframely.com/docs/about)',
    'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
    'SummalyBot/5.1.0',
  ],
  links: [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
    'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
    'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)',
    'Mozilla/5.0 (compatible; Applebot/0.1; +http://www.apple.com/go/applebot)',
    'Mozilla/5.0 (compatible; urlscan.io)',
  ],
  prefetch: [safari, `${chrome} Edg/131.0.0.0`, `${chrome} OPR/115.0.0.0`],
}

/** Fifty agents. */
export const previewAgents: readonly PreviewAgent[] = Object.entries(byPattern).flatMap(([pattern, agents]) =>
  agents.map((userAgent) => ({ userAgent, pattern: pattern as AgentPattern })),
)

/** What browsers of different makers say when they fetch a page that nobody has opened yet. */
const prefetching: readonly Readonly<Record<string, string>>[] = [
  { 'Sec-Purpose': 'prefetch' },
  { 'Sec-Purpose': 'prefetch;prerender' },
  { 'Sec-Purpose': 'prefetch;anonymous-client-ip' },
  { Purpose: 'prefetch' },
  { 'X-Purpose': 'preview' },
  { 'X-Moz': 'prefetch' },
]

/** Sends the requests of an agent for this page, and returns the texts of the responses. */
export async function visit({ userAgent, pattern }: PreviewAgent, url: string): Promise<readonly string[]> {
  const ask = async (
    address: string,
    headers: Readonly<Record<string, string>> = {},
    method = 'GET',
  ): Promise<string> => {
    const response = await fetch(address, { method, headers: { 'User-Agent': userAgent, ...headers } })
    return response.text()
  }
  switch (pattern) {
    case 'get':
      return [await ask(url)]
    case 'head':
      return [await ask(url, {}, 'HEAD'), await ask(url)]
    case 'range':
      return [await ask(url, { Range: 'bytes=0-524287' })]
    case 'prefetch':
      return Promise.all(prefetching.map((headers) => ask(url, headers)))
    case 'oembed': {
      const { origin } = new URL(url)
      return [await ask(url), await ask(`${origin}/oembed?format=json&url=${encodeURIComponent(url)}`)]
    }
    case 'links': {
      const page = await ask(url)
      const addresses = [...page.matchAll(/(?:href|src|action)="([^"]+)"/g)].map(
        ([, address = '']) => address,
      )
      const own = addresses.filter((address) => !address.startsWith('data:'))
      return [page, ...(await Promise.all(own.map((address) => ask(new URL(address, url).href))))]
    }
    default:
      return pattern satisfies never
  }
}
