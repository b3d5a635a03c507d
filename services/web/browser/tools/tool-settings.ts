import type { Format } from '#engine/tools/tool.js'

/** What the server passes to the script of a tool's page. */
export interface ToolSettings {
  readonly name: string
  readonly title: string
  readonly input_kind: Format['kind']
  /** Of a file with the input, without the dot. */
  readonly input_extension: string
  readonly kind: Format['kind']
  /** Of a file with the output, without the dot. */
  readonly extension: string
  readonly media_type: string
  readonly example: { readonly input: string; readonly options: Readonly<Record<string, unknown>> }
  /** The base URL of the API. */
  readonly base_url: string
}

/** Reads the settings from the element. */
export function readToolSettings(host: HTMLElement): ToolSettings {
  return JSON.parse(host.dataset.tool ?? '')
}

/** The options of the example as texts. */
export function exampleOptions({ example }: ToolSettings): readonly (readonly [string, string])[] {
  return Object.entries(example.options).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(',') : String(value),
  ])
}
