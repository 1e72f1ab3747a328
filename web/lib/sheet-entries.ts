import { routing } from '#web/lib/routing.ts'

/**
 * An open sheet has a history entry, so that Back closes it and keeps the screen (docs/decisions/0342). The entry has the
 * address, the key and the state of its screen's entry, and the number of open sheets. To the router, the two entries are the
 * same.
 */
type Entry = { key: string; sheets: number }

/** The functions that close the open sheets, the lowest sheet first. */
let open: readonly { close: () => void }[] = []
/** The current entry at the last check. */
let last = readEntry()
/** True while this file itself moves through the history. `waitingMoves` are the actions that run after the move. */
let isMoving = false
let waitingMoves: readonly (() => void)[] = []

function readEntry(): Entry {
  const state = history.state as Partial<Entry> | null
  return { key: state?.key ?? 'default', sheets: state?.sheets ?? 0 }
}

/**
 * Moves to the history entry whose `sheets` equals the number of open sheets, unless the router is moving to another screen.
 */
function matchHistory(): void {
  const { router } = routing
  if (!router || isMoving || router.state.navigation.state !== 'idle') return
  last = readEntry()
  if (last.key !== router.state.location.key || last.sheets === open.length) return
  // A sheet that refused to close gets a new entry.
  if (last.sheets < open.length) return push()
  isMoving = true
  history.go(open.length - last.sheets)
}

function push(): void {
  history.pushState({ ...(history.state as object | null), sheets: open.length }, '')
  last = readEntry()
}

/**
 * Adds a history entry for a sheet. `close` is called when Back leaves the entry. Returns a function to call after the sheet
 * has closed.
 */
export function enterSheet(close: () => void): () => void {
  const sheet = { close }
  open = [...open, sheet]
  // The entry of a sheet that has just closed, or that was open before a reload, is used for this sheet.
  const entry = readEntry()
  // During a return from a blocked navigation, the entry is added after the return.
  if (entry.key === routing.router?.state.location.key && entry.sheets < open.length) push()
  return () => {
    open = open.filter((openSheet) => openSheet !== sheet)
    // The delay covers another sheet or screen that opens in the same moment.
    setTimeout(matchHistory)
  }
}

/** Calls `go` after the entries of the closing sheets are left. Without this, the new screen would replace one of them. */
export function runAfterSheets(go: () => void): void {
  setTimeout(() => {
    matchHistory()
    if (isMoving) waitingMoves = [...waitingMoves, go]
    else go()
  })
}

/** The time limit for a sheet to close, and the interval of the checks. */
const CLOSES_WITHIN_MS = 500
const LOOK_EVERY_MS = 16

/** Closes the open sheets, and then calls `go`. A sheet that asks before it closes does not keep `go` from being called. */
export function closeSheetsAndRun(go: () => void): void {
  for (const { close } of open.toReversed()) close()
  const until = Date.now() + CLOSES_WITHIN_MS
  const check = (): void => {
    if (open.length > 0 && Date.now() < until) setTimeout(check, LOOK_EVERY_MS)
    else runAfterSheets(go)
  }
  check()
}

function onPop(event: PopStateEvent): void {
  const [previousEntry, entry] = [last, readEntry()]
  last = entry
  const isSameScreen = entry.key === routing.router?.state.location.key
  // This event ends the move that this file started, if there is one.
  const hasMoved = isMoving
  isMoving = false
  // The router blocked the move to another screen and is waiting for the return to this screen. A sheet may be asking about
  // unsaved edits.
  if (isSameScreen && previousEntry.key !== entry.key && entry.sheets === 0) {
    setTimeout(matchHistory)
    return
  }
  // The router must ignore entries of sheets. If the entry belongs to a sheet of another screen, the history moves on to an
  // entry without a sheet.
  if (isSameScreen || entry.sheets > 0) event.stopImmediatePropagation()
  if (!isSameScreen) {
    if (entry.sheets === 0) return
    if (previousEntry.key === entry.key && previousEntry.sheets < entry.sheets) history.forward()
    else history.back()
  } else if (hasMoved) matchHistory()
  else if (entry.sheets < open.length) {
    for (const { close } of open.slice(entry.sheets).toReversed()) close()
    setTimeout(matchHistory)
  } else if (previousEntry.key === entry.key && previousEntry.sheets > entry.sheets) {
    // The previous entry belonged to a closed sheet, so this step back changed nothing on the screen. One more step follows.
    history.back()
  } else if (entry.sheets > open.length) history.forward()
  if (!hasMoved) return
  const pendingCallbacks = waitingMoves
  waitingMoves = []
  pendingCallbacks.forEach(runAfterSheets)
}

routing.onPop = onPop
