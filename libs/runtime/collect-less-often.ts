import { setFlagsFromString } from 'node:v8'

/** The heap may have grown by so much, in percent of what is alive, before all of it is looked at. */
const growthPercent = 400

/**
 * Has the engine collect everything less often, for a process through which many bytes pass while little is alive. It
 * counts bytes outside its heap as growth, so in one of 15 MB every 10 or 20 MB that pass would set off a collection of
 * all of it, which took up to half of the processor time of a document of 50 MB. Decision 0039 has the figures.
 */
export function collectLessOften(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
}
