import { choice, type Variable } from '#libs/config/variables.js'

/** Whether tools, comparisons and what judges by contracts are offered: by the API, and tools as pages. */
export const toolsVariable = {
  TOOLS: choice(
    'Whether the API runs tools on what it is sent (`POST /api/tools/{name}`) and `/tools` has their pages, whether it compares (`POST /api/compare`), and whether it judges data by contracts (`PUT` of a contract, `POST` of a check). All need the process `tools`; with `off` it is not started.',
    ['on', 'off'],
    'on',
  ),
} satisfies Readonly<Record<string, Variable<unknown>>>
