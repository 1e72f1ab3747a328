import { routing } from '#web/lib/routing.ts'

/**
 * An open sheet is a history entry, so that Back closes it and keeps the screen (docs/decisions/0342). The entry has the
 * address, the key and the state of its screen's entry, and how many sheets are open: the router takes the two for one.
 */
type Entry = { key: string; sheets: number }

/** How to close the sheets that are open, the lowest first. */
let open: readonly { close: () => void }[] = []
/** The entry that this page was at when it last looked. */
let last = present()
/** Whether this file itself goes through the history, and what waits for it. */
let isMoving = false
let waiting: readonly (() => void)[] = []

function present(): Entry {
  const state = history.state as Partial<Entry> | null
  return { key: state?.key ?? 'default', sheets: state?.sheets ?? 0 }
}

/** Comes to the entry for as many sheets as are open, unless the router is on its way to another screen. */
function settle(): void {
  const { router } = routing
  if (!router || isMoving || router.state.navigation.state !== 'idle') return
  last = present()
  if (last.key !== router.state.location.key || last.sheets === open.length) return
  // A sheet that may not close just now has an entry anew.
  if (last.sheets < open.length) return push()
  isMoving = true
  history.go(open.length - last.sheets)
}

function push(): void {
  history.pushState({ ...(history.state as object | null), sheets: open.length }, '')
  last = present()
}

/** Opens an entry for a sheet; `close` is called when Back leaves it. Returns what to call when the sheet has closed. */
export function enterSheet(close: () => void): () => void {
  const sheet = { close }
  open = [...open, sheet]
  // An entry whose sheet has just closed, or was open before a reload, serves this one.
  const here = present()
  // On the way back from a screen that was not left after all, it gets its entry there.
  if (here.key === routing.router?.state.location.key && here.sheets < open.length) push()
  return () => {
    open = open.filter((one) => one !== sheet)
    // Another sheet may open, or a screen, in the same moment.
    setTimeout(settle)
  }
}

/** Goes to another screen after the entries of the sheets that are closing, where it would else replace one of them. */
export function afterSheets(go: () => void): void {
  setTimeout(() => {
    settle()
    if (isMoving) waiting = [...waiting, go]
    else go()
  })
}

/** How long a sheet has to close, and how often it is looked whether it has. */
const CLOSES_WITHIN_MS = 500
const LOOK_EVERY_MS = 16

/** Closes the sheets that are open, and then goes to another screen. One that asks before it closes keeps nobody here. */
export function leaveSheets(go: () => void): void {
  for (const { close } of open.toReversed()) close()
  const until = Date.now() + CLOSES_WITHIN_MS
  const look = (): void => {
    if (open.length > 0 && Date.now() < until) setTimeout(look, LOOK_EVERY_MS)
    else afterSheets(go)
  }
  look()
}

function onPop(event: PopStateEvent): void {
  const [before, here] = [last, present()]
  last = here
  const isSameScreen = here.key === routing.router?.state.location.key
  // It has arrived, if on another screen than it set out from.
  const hasMoved = isMoving
  isMoving = false
  // Back from a screen that the router was kept from, for which it waits; a sheet may be asking about that.
  if (isSameScreen && before.key !== here.key && here.sheets === 0) {
    setTimeout(settle)
    return
  }
  // The router has nothing to do for sheets. It goes on to other screens, whose sheets are no longer open.
  if (isSameScreen || here.sheets > 0) event.stopImmediatePropagation()
  if (!isSameScreen) {
    if (here.sheets === 0) return
    if (before.key === here.key && before.sheets < here.sheets) history.forward()
    else history.back()
  } else if (hasMoved) settle()
  else if (here.sheets < open.length) {
    for (const { close } of open.slice(here.sheets).toReversed()) close()
    setTimeout(settle)
  } else if (before.key === here.key && before.sheets > here.sheets) {
    // The entry that was left had no sheet any more, and looked like this one.
    history.back()
  } else if (here.sheets > open.length) history.forward()
  if (!hasMoved) return
  const goers = waiting
  waiting = []
  goers.forEach(afterSheets)
}

routing.onPop = onPop
