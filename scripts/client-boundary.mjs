// The module boundaries of code that runs elsewhere: in browsers, and as published clients.

import { inBrowsers } from './driver-homes.mjs'

const tests = '\\.test\\.tsx?$|/testing/'

const outsideClients = '^(gateway|services|shared|libs|engine|proto|deploy|dev|e2e|bench|scripts)/'

/** What clients may import, and who may import them. */
export const clientBoundary = [
  {
    name: 'clients-know-the-api-alone',
    comment: 'What is published must not carry, or depend on, how the server is made.',
    from: { path: '^clients/', pathNot: [tests, '^clients/cli/'] },
    to: { path: outsideClients },
  },
  {
    name: 'the-command-line-knows-the-api-and-the-comparison',
    comment:
      'It compares, converts and searches files without a server, by the code that the server and the pages use.',
    from: { path: '^clients/cli/', pathNot: tests },
    to: { path: outsideClients, pathNot: '^(engine|libs/core)/' },
  },
  {
    name: 'the-sdk-runs-in-browsers',
    comment: 'Only its entry for Node knows Node.',
    from: { path: '^clients/sdk/', pathNot: [tests, '^clients/sdk/node\\.ts$'] },
    to: { dependencyTypes: ['core', 'npm', 'npm-dev'] },
  },
  {
    name: 'the-server-knows-no-client',
    comment:
      'Clients use the system; it does not use them. The gateway serves the tools of the MCP server, which are one.',
    from: {
      path: '^(gateway|services|shared|libs|engine|proto|deploy|dev)/',
      pathNot: ['^gateway/features/mcp/', inBrowsers],
    },
    to: { path: '^clients/' },
  },
]

/** What browser code may import, and who may import it. */
export const browserBoundary = [
  {
    name: 'browsers-get-no-server-code',
    comment: 'What runs in browsers knows the texts, rules without a platform, and the API; nothing of Node.',
    from: { path: inBrowsers, pathNot: [tests, '^services/web/browser/(build/|vite\\.config\\.ts$)'] },
    to: {
      path: '^(services/web|libs|engine|shared|proto)/|^(node:)?(fs|path|crypto|http|https|net|os|stream|buffer|events|zlib|url|util|worker_threads|child_process)(/|$)',
      pathNot: [
        inBrowsers,
        '^services/web/(texts/|plans/|rendering/|(looks-like-markdown|find-headings)\\.ts$)',
        '^((libs|shared)/core|engine)/',
      ],
    },
  },
  {
    name: 'browsers-know-no-client-but-the-sdk',
    comment: 'The dashboard calls the API as others do, by what the SDK offers browsers.',
    from: { path: inBrowsers, pathNot: tests },
    to: { path: '^clients/(?!sdk/)|^clients/sdk/node\\.ts$' },
  },
  {
    name: 'the-engine-runs-anywhere',
    comment:
      'On a server, in browsers and in the command line: it is made of bytes, and neither it nor the packages it uses know a platform.',
    from: { path: '^engine/', pathNot: tests },
    to: { pathNot: ['^engine/', '(^|/)node_modules/'] },
  },
  {
    name: 'the-server-of-pages-runs-no-browser-code',
    comment: 'It knows the scripts by what the build has made of them.',
    from: { path: '^services/web/', pathNot: [inBrowsers, tests] },
    to: { path: inBrowsers },
  },
  {
    name: 'the-share-page-carries-no-framework',
    comment: 'Its script is small because the dashboard, and what it is made of, stay out of it.',
    from: { path: '^services/web/browser/(landing|plans|share|viewer|document)/' },
    to: { path: '^services/web/browser/dashboard/' },
  },
]
