import { choice, type Variable } from '#libs/config/variables.js'

/** Whether tools and comparisons are offered: by the API, and tools as pages. */
export const toolsVariable = {
  TOOLS: choice(
    'Whether the API runs tools on what it is sent (`POST /api/tools/{name}`) and `/tools` has their pages, and whether it compares (`POST /api/compare`). Both need the process `tools`; with `off` it is not started.',
    ['on', 'off'],
    'on',
  ),
} satisfies Readonly<Record<string, Variable<unknown>>>
