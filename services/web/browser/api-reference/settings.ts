/** Languages without examples, and client libraries we hide; curl, fetch, requests and net/http remain. */
const otherLanguages =
  'c clojure csharp dart fsharp http java kotlin node objc ocaml php powershell r ruby rust swift'.split(' ')

const otherLibraries: Readonly<Record<string, readonly string[]>> = {
  shell: ['wget', 'httpie'],
  js: ['axios', 'ofetch', 'jquery', 'xhr'],
  python: ['python3', 'httpx_sync', 'httpx_async', 'aiohttp'],
}

/**
 * Contrasts of at least 4.5:1, which the library's theme misses, space for the button after each heading, and tables
 * that scroll rather than break words.
 */
const customCss = `
.light-mode{--scalar-color-2:#565d6b;--scalar-color-3:#5f6776;--scalar-color-accent:#0b57d0;--scalar-color-green:#05704c;--scalar-color-blue:#0b57d0;--scalar-color-orange:#9a4a00;--scalar-color-yellow:#7d5a00;--scalar-color-red:#b3261e;--scalar-color-purple:#5203d1}
.dark-mode{--scalar-color-2:#b4bac6;--scalar-color-3:#a2a9b8;--scalar-color-accent:#8ab4f8;--scalar-color-red:#ff8a80}
.scalar-app .markdown table{display:block;table-layout:auto}.scalar-app .markdown :is(td,th){min-width:6rem;word-break:normal}
.section-header,:is(h1,h2,h3,h4):has(button){padding-inline-end:2rem}
`

/**
 * Configures the reference: it loads from and sends to no other host, stores no credentials, and sends
 * requests to the page's own origin whatever `servers` says.
 */
export function settings(origin: string, title: string): object {
  return {
    url: '/api/openapi.json',
    servers: [{ url: origin }],
    telemetry: false,
    withDefaultFonts: false,
    agent: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    persistAuth: false,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    hiddenClients: {
      ...Object.fromEntries(otherLanguages.map((language) => [language, true])),
      ...otherLibraries,
    },
    authentication: { preferredSecurityScheme: 'apiKey' },
    metaData: { title },
    customCss,
  }
}
