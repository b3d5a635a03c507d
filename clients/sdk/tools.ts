import { bodyOf, type Content } from './content.js'
import type { CreatedShare, SnippetWritten, Tool, ToolList } from './generated/types.js'
import { RawData } from './raw-data.js'
import { Resource } from './resource.js'
import type { CallOptions } from './transport.js'

/** Options of a tool; lists are joined by commas. */
export type ToolOptions = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** How an output is kept. */
export interface KeptOutput {
  /** By default the tool and the date. */
  readonly title?: string | undefined
  /** The member of `data` that holds it; by default named after its format. */
  readonly key?: string | undefined
  /** Makes the call safe to repeat for 24 hours; generated for each call by default. */
  readonly idempotencyKey?: string | undefined
}

/** How an output is published. */
export interface SharedOutput extends KeptOutput {
  /** Seconds until it expires; by default as long as the plan allows. */
  readonly expiresIn?: number | undefined
  /** As for a new share, as are the next. */
  readonly allowSecrets?: boolean | undefined
  readonly maxViews?: number | undefined
  readonly burn?: boolean | undefined
}

/** Tools that format and convert on the server, exactly. */
export class Tools extends Resource {
  /** Every tool, with a JSON Schema of its options and examples. */
  async list(options?: CallOptions): Promise<Tool[]> {
    const response = await this.send({ method: 'GET', path: '/api/tools' }, options)
    return ((await response.json()) as ToolList).tools
  }

  /**
   * The output of a tool, as a stream.
   * @throws ProblemError `invalid_input` with the position; TooLargeError `tool_too_large`.
   */
  async run(name: string, content: Content, options: ToolOptions = {}, call?: CallOptions): Promise<RawData> {
    return new RawData(await this.#post(name, content, options, {}, call))
  }

  /** Runs a tool and keeps its output as a snippet: a new one, or the one of this name (`@name`). */
  async save(
    name: string,
    content: Content,
    options: ToolOptions = {},
    { as, ...kept }: KeptOutput & { readonly as?: `@${string}` | undefined } = {},
    call?: CallOptions,
  ): Promise<SnippetWritten> {
    const response = await this.#post(name, content, options, { save: as ?? 'true', ...kept }, call)
    return (await response.json()) as SnippetWritten
  }

  /** Runs a tool and publishes its output; the page is at `share_url`. */
  async share(
    name: string,
    content: Content,
    options: ToolOptions = {},
    { expiresIn, maxViews, burn, allowSecrets, ...kept }: SharedOutput = {},
    call?: CallOptions,
  ): Promise<CreatedShare> {
    const allow_secrets = allowSecrets === undefined ? undefined : String(allowSecrets)
    const once = burn === true ? 'true' : undefined
    const wanted = { expires_in: expiresIn, max_views: maxViews, burn: once, allow_secrets }
    const query = { share: 'true', ...wanted, ...kept }
    const response = await this.#post(name, content, options, query, call)
    return (await response.json()) as CreatedShare
  }

  #post(
    name: string,
    content: Content,
    options: ToolOptions,
    { idempotencyKey, ...kept }: KeptOutput & Readonly<Record<string, string | number | undefined>>,
    call?: CallOptions,
  ): Promise<Response> {
    const own = Object.entries(options).map(([option, value]) => [option, String(value)])
    return this.send(
      {
        method: 'POST',
        path: `/api/tools/${encodeURIComponent(name)}`,
        query: { ...Object.fromEntries(own), ...kept },
        headers: { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() },
        body: bodyOf(content, 'application/octet-stream'),
      },
      call,
    )
  }
}
