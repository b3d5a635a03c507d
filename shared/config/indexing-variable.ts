import { choice, type Variable } from '#libs/config/variables.js'

/** Whether search engines may index the public pages: read by the two processes that send them. */
export const indexingVariable = {
  INDEXING: choice(
    'Whether search engines may index the public pages: `/`, `/compare`, those below `/tools`, and `/api/docs`. With `off`, for an installation that is only for its own people, every response says `noindex`, and `robots.txt` turns all crawlers away, those of link previews included. Shares and the dashboard are never indexed.',
    ['on', 'off'],
    'on',
  ),
} satisfies Readonly<Record<string, Variable<unknown>>>
