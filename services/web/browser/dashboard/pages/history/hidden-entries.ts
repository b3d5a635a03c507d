import { createHiddenIds } from '../../frame/hidden-ids.js'

/** Entries of this page that are being deleted. */
export const hiddenEntries = createHiddenIds()
