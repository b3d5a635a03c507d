import { choice, type Variable } from '#libs/config/variables.js'

/** Whether tools are offered: by the API, and as pages. */
export const toolsVariable = {
  TOOLS: choice(
    'Whether the API runs tools on what it is sent (`POST /api/tools/{name}`) and `/tools` has their pages. Two run at once, each in a thread of its own with up to 96 MB of heap; one more for forms of browsers without scripts.',
    ['on', 'off'],
    'on',
  ),
} satisfies Readonly<Record<string, Variable<unknown>>>
