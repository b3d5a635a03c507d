import { createHiddenIds } from '../../frame/hidden-ids.js'

/** Snippets of this page that are being deleted. */
export const hiddenSnippets = createHiddenIds()
