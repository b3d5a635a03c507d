import { useEffect, useState } from 'react'
import {
  Dialog as AriaDialog,
  Menu as AriaMenu,
  Autocomplete,
  Header,
  Input,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components'
import { useLocation } from 'wouter'
import { text } from '../../../texts/text.js'
import { toolPageTexts } from '../../../texts/tool-pages.js'
import { useApiQuery } from '../api/api-context.js'
import { snippetsKey } from '../api/query-keys.js'
import { Icon } from '../kit/icon.js'
import { Keys } from '../kit/keys.js'
import type { Command } from './command.js'
import { type Findable, rankFound } from './rank-found.js'
import { outsidePages } from './sections.js'

type Entry = Command & Findable

const foundMax = 6
const typingMs = 200

/** A value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** The pages of all tools, by their names and the other words for them; none where the server has none. */
function toolEntries(): readonly Entry[] {
  if (!outsidePages().some(({ icon }) => icon === 'tools')) return []
  return [...toolPageTexts].map(([name, { title, words }]) => ({
    id: `tool ${name}`,
    label: title,
    words: `${name} ${words}`,
    icon: 'tools',
    run: () => location.assign(`/tools/${name}`),
  }))
}

/** The snippets that a search finds. */
function useSnippetEntries(typed: string): readonly Entry[] {
  const [, navigate] = useLocation()
  const search = useSettled(typed.trim())
  const found = useApiQuery(
    [...snippetsKey, 'palette', search],
    (api, options) => api.snippets.list({ q: search, include_data: false, limit: foundMax }, options).page(),
    { enabled: search !== '' },
  )
  if (search === '') return []
  return (found.data?.items ?? []).map(({ id, title, name }) => ({
    id: `snippet ${id}`,
    label: title,
    words: name === undefined ? '' : `@${name}`,
    icon: 'snippets',
    run: () => navigate(`/snippets/${id}`),
  }))
}

function Group({ name, entries }: { readonly name: string; readonly entries: readonly Entry[] }) {
  if (entries.length === 0) return null
  return (
    <MenuSection>
      <Header className="palette-group">{name}</Header>
      {entries.map(({ id, label, icon, keys, run }) => (
        <MenuItem key={id} id={id} textValue={label} className="choice" onAction={run}>
          {icon !== undefined && <Icon name={icon} />}
          <span className="palette-name">{label}</span>
          {keys !== undefined && <Keys keys={keys} />}
        </MenuItem>
      ))}
    </MenuSection>
  )
}

/** Finds pages, actions, tools and snippets by a few letters of their names. */
export function Palette({ commands, onClose }: { readonly commands: readonly Command[]; onClose(): void }) {
  const [typed, setTyped] = useState('')
  const closing = <Kind extends Entry>(entries: readonly Kind[]): readonly Entry[] =>
    entries.map((entry) => ({
      ...entry,
      run() {
        onClose()
        entry.run()
      },
    }))
  const own = commands.filter(({ id, isKeysOnly }) => id !== 'search' && isKeysOnly !== true)
  const snippets = useSnippetEntries(typed)
  const tools = typed.trim() === '' ? [] : rankFound(toolEntries(), typed).slice(0, foundMax)
  return (
    <ModalOverlay
      className="overlay overlay-top"
      isOpen
      isDismissable
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <Modal className="modal modal-palette">
        <AriaDialog className="palette" aria-label={text('command.find')}>
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <SearchField aria-label={text('command.find')} className="search" autoFocus>
              <Icon name="search" />
              <Input className="input" placeholder={text('command.findHint')} />
            </SearchField>
            <AriaMenu
              className="choices palette-found"
              aria-label={text('command.found')}
              renderEmptyState={() => <p className="quiet palette-none">{text('command.nothing')}</p>}
            >
              <Group name={text('command.commands')} entries={closing(rankFound(own, typed))} />
              <Group name={text('frame.snippets')} entries={closing(snippets)} />
              <Group name={text('tools.title')} entries={closing(tools)} />
            </AriaMenu>
          </Autocomplete>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
