import { type Anchor, type InSet, isWordPoint } from './parse-pattern.js'

/**
 * A state takes a code point of its set and goes on, or goes on at once in one or two ways, at an anchor only there; the
 * last one accepts.
 */
export interface PatternState {
  readonly has: InSet | null
  readonly where: Anchor | null
  next: number
  readonly other: number
}

/** A compiled pattern. */
export interface Pattern {
  /**
   * Whether the text matches: as a whole, or some part of it. `spend` is told, again and again, how many steps that has
   * taken: states that were followed.
   */
  test(text: string, isWhole: boolean, spend?: (steps: number) => void): boolean
}

type Holds = Readonly<Record<Anchor, boolean>>

class StateSet {
  private readonly states: readonly PatternState[]
  private readonly isIn: Uint8Array
  readonly members: number[] = []

  constructor(states: readonly PatternState[]) {
    this.states = states
    this.isIn = new Uint8Array(states.length)
  }

  /** Adds a state and those that it goes on to at once, where these anchors hold. */
  add(first: number, holds: Holds): void {
    const pending = [first]
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (at < 0 || this.isIn[at] === 1) continue
      this.isIn[at] = 1
      this.members.push(at)
      const state = this.states[at]
      if (state === undefined || state.has !== null) continue
      if (state.where === null || holds[state.where]) pending.push(state.other, state.next)
    }
  }

  has(state: number): boolean {
    return this.isIn[state] === 1
  }

  clear(): void {
    for (const member of this.members) this.isIn[member] = 0
    this.members.length = 0
  }
}

/** Which anchors hold before this unit of the text. Letters of ASCII make words, so units are enough. */
function anchorsAt(text: string, at: number): Holds {
  const isWord = (unit: number): boolean =>
    unit >= 0 && unit < text.length && isWordPoint(text.charCodeAt(unit))
  const isEdge = isWord(at - 1) !== isWord(at)
  return { start: at === 0, end: at === text.length, edge: isEdge, 'no-edge': !isEdge }
}

const inside: Holds = { start: false, end: false, edge: false, 'no-edge': false }
const atStart: Holds = { ...inside, start: true }
const atEnd: Holds = { ...inside, end: true }

/** Steps are told when there are so many. */
const stepsTold = 10_000
const asciiUnits = 128
/** Sets that a pattern knows, and states in them; a pattern that makes more is simulated from there on. */
const setsMax = 256
const membersMax = 20_000
/** Of patterns that share their room: some 20 MB. */
const sharedSetsMax = 4_096
const sharedMembersMax = 400_000
const sharedTextsMax = 200_000
const unknown = -1

/** A set of states that texts have led to, and where each unit of ASCII leads from there. */
interface KnownSet {
  readonly members: readonly number[]
  readonly isAccepting: boolean
  /** The number of the next set, within a text. */
  readonly after: Int16Array
  /** Whether a text matches of which the unit is the last: 1 or 0. */
  readonly atEnd: Int8Array
}

/** The sets that are known, the first being where texts begin. */
interface KnownSets {
  readonly sets: KnownSet[]
  readonly numbers: Map<string, number>
  membersLeft: number
}

const noSets = (): KnownSets => ({ sets: [], numbers: new Map(), membersLeft: membersMax })

/** What several patterns may know together beyond where each begins. */
export interface PatternRoom {
  setsLeft: number
  membersLeft: number
  /** Of which others may note whether they match. */
  textsLeft: number
}

/** Room for all patterns of one document. */
export const createPatternRoom = (): PatternRoom => ({
  setsLeft: sharedSetsMax,
  membersLeft: sharedMembersMax,
  textsLeft: sharedTextsMax,
})

/** Follows all states at once; what it has learned of ASCII is looked up from then on. */
export class Simulation implements Pattern {
  private readonly states: readonly PatternState[]
  private readonly start: number
  private readonly accept: number
  private readonly hasEdges: boolean
  private readonly room: PatternRoom
  private now: StateSet
  private next: StateSet
  /** For parts of texts, and for whole ones. */
  private readonly known: readonly [KnownSets, KnownSets] = [noSets(), noSets()]

  constructor(states: readonly PatternState[], start: number, accept: number, room: PatternRoom) {
    this.states = states
    this.start = start
    this.accept = accept
    this.room = room
    this.hasEdges = states.some(({ where }) => where === 'edge' || where === 'no-edge')
    this.now = new StateSet(states)
    this.next = new StateSet(states)
  }

  test(text: string, isWhole: boolean, spend?: (steps: number) => void): boolean {
    if (this.hasEdges || text === '') {
      this.now.clear()
      this.now.add(this.start, anchorsAt(text, 0))
      return this.simulate(text, 0, isWhole, spend)
    }
    const sets = this.setsOf(isWhole)
    let [set, steps] = [sets[0], 0]
    for (let at = 0; set !== undefined; at += 1) {
      if (!isWhole && set.isAccepting) break
      const unit = text.charCodeAt(at)
      const isLast = at + 1 === text.length
      const after = isLast ? set.atEnd : set.after
      let found = unit < asciiUnits ? (after[unit] ?? unknown) : unknown
      if (found === unknown && unit < asciiUnits) {
        found = isLast ? this.endsWith(set, unit, isWhole) : this.leadsTo(set, unit, isWhole)
        after[unit] = found
      }
      if (found === unknown) {
        spend?.(steps)
        return this.simulateFrom(set, text, at, isWhole, spend)
      }
      steps += 1 + set.members.length
      if (steps > stepsTold) {
        spend?.(steps)
        steps = 0
      }
      if (isLast) {
        spend?.(steps)
        return found === 1
      }
      set = sets[found]
    }
    spend?.(steps)
    return true
  }

  /** Takes a code point from `now` to `next`. */
  private step(members: readonly number[], point: number, isWhole: boolean, holds: Holds): void {
    const { states, next } = this
    next.clear()
    for (const member of members) {
      const state = states[member]
      if (state?.has?.(point) === true) next.add(state.next, holds)
    }
    if (!isWhole) next.add(this.start, holds)
  }

  private endsWith({ members }: KnownSet, unit: number, isWhole: boolean): number {
    this.step(members, unit, isWhole, atEnd)
    return this.next.has(this.accept) ? 1 : 0
  }

  private leadsTo({ members }: KnownSet, unit: number, isWhole: boolean): number {
    this.step(members, unit, isWhole, inside)
    return this.numberOf(this.next.members, isWhole)
  }

  /** The known sets; the first is there. */
  private setsOf(isWhole: boolean): readonly KnownSet[] {
    const { sets } = this.known[isWhole ? 1 : 0]
    if (sets.length === 0) {
      this.next.clear()
      this.next.add(this.start, atStart)
      this.numberOf(this.next.members, isWhole)
    }
    return sets
  }

  /** The number of a set; `unknown` if it is new and there is no room for it. */
  private numberOf(members: readonly number[], isWhole: boolean): number {
    const known = this.known[isWhole ? 1 : 0]
    const name = members.join()
    const number = known.numbers.get(name)
    if (number !== undefined) return number
    const { sets } = known
    // Where texts begin is always known.
    if (sets.length > 0) {
      const { room } = this
      const isFull = sets.length === setsMax || room.setsLeft === 0
      if (isFull || members.length > Math.min(known.membersLeft, room.membersLeft)) return unknown
      room.setsLeft -= 1
      room.membersLeft -= members.length
      known.membersLeft -= members.length
    }
    known.numbers.set(name, sets.length)
    const after = new Int16Array(asciiUnits).fill(unknown)
    const atEnd = new Int8Array(asciiUnits).fill(unknown)
    return sets.push({ members: [...members], isAccepting: members.includes(this.accept), after, atEnd }) - 1
  }

  private simulateFrom(
    { members }: KnownSet,
    text: string,
    from: number,
    isWhole: boolean,
    spend?: (steps: number) => void,
  ): boolean {
    this.now.clear()
    // What they go on to at once is among them.
    for (const member of members) this.now.add(member, inside)
    return this.simulate(text, from, isWhole, spend)
  }

  /** Goes on from the states in `now`. */
  private simulate(text: string, from: number, isWhole: boolean, spend?: (steps: number) => void): boolean {
    let steps = 0
    for (let taken = from; taken < text.length; ) {
      if (!isWhole && this.now.has(this.accept)) break
      const point = text.codePointAt(taken) ?? 0
      taken += point > 0xffff ? 2 : 1
      steps += 1 + this.now.members.length
      if (steps > stepsTold) {
        spend?.(steps)
        steps = 0
      }
      const isEnd = taken === text.length
      this.step(
        this.now.members,
        point,
        isWhole,
        this.hasEdges ? anchorsAt(text, taken) : isEnd ? atEnd : inside,
      )
      ;[this.now, this.next] = [this.next, this.now]
    }
    spend?.(steps)
    return this.now.has(this.accept)
  }
}
