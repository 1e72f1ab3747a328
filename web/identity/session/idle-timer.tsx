import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type Idle, idleAt } from '#web/identity/session/idle.ts'
import { lastInput, noteInput, watchInput } from '#web/identity/session/last-input.ts'
import { endSession } from '#web/identity/queries.ts'
import { handleSignedOut } from '#web/identity/session/session.ts'
import { meQuery } from '#web/lib/me.ts'
import { useLazy } from '#web/lib/lazy.ts'
import { signInPathFor } from '#web/lib/sign-in-redirect.ts'
import { paths } from '#web/lib/paths.ts'
import { loadInSheet } from '#web/ui/sheet.tsx'

/** If the warning fails to load, the customer is signed out at the same time, but without a warning. */
const loadWarning = () => loadInSheet(() => import('#web/identity/session/idle-sheet.tsx'))

const CHECK_EVERY_MS = 1000
/**
 * The number of times per idle limit that the app reports input. The bank sees only requests, so without reports reading and
 * typing would not count as activity.
 */
const REPORTS_PER_LIMIT = 5

const ACTIVE: Idle = { state: 'active' }

/** The time of the last report of activity to the bank, by this device's clock in milliseconds. */
let reportedMs = Date.now()

/**
 * Returns a function that reports activity to the bank if a report is due and there was input since the last one. If `now` is
 * true, the function always reports.
 */
function useKeepAlive(idleSeconds: number) {
  const queries = useQueryClient()
  return (now: boolean) => {
    const isDue = Date.now() - reportedMs >= (idleSeconds * 1000) / REPORTS_PER_LIMIT
    if (!now && (!isDue || lastInput() <= reportedMs)) return
    reportedMs = Date.now()
    // A failure is ignored, because the next request to the bank also counts as activity.
    queries.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => {})
  }
}

function useEnd() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const location = useLocation()
  return (reason: 'idle' | 'left') => {
    // If this request does not reach the bank, the bank ends the idle session by itself.
    endSession().catch(() => {})
    void navigate(reason === 'left' ? paths.login : signInPathFor(location), { replace: true, state: { reason } })
    handleSignedOut(queries, reason)
  }
}

/** Signs an idle customer out after a warning. */
export function IdleTimer({ idleSeconds }: { idleSeconds: number }) {
  const [idle, setIdle] = useState(ACTIVE)
  const end = useEnd()
  const keepAlive = useKeepAlive(idleSeconds)

  const check = useEffectEvent(() => {
    const next = idleAt(Date.now(), lastInput(), idleSeconds)
    if (next.state === 'expired') return end('idle')
    if (next.state === 'active') keepAlive(false)
    setIdle(next.state === 'active' ? ACTIVE : next)
  })
  // After the warning, only the button keeps the session. Accidental pointer movement does not count.
  const isActive = useEffectEvent(() => idle.state === 'active')

  useEffect(() => {
    noteInput()
    const timer = setInterval(check, CHECK_EVERY_MS)
    const stop = watchInput(isActive)
    // Timers do not run while the device sleeps, so the time is checked as soon as the page is visible again.
    document.addEventListener('visibilitychange', check)
    return () => {
      clearInterval(timer)
      stop()
      document.removeEventListener('visibilitychange', check)
    }
  }, [])

  const warning = useLazy(loadWarning, idle.state === 'warned')
  if (idle.state !== 'warned' || !warning) return null
  return (
    <warning.IdleSheet
      secondsLeft={idle.secondsLeft}
      onStay={() => {
        noteInput()
        keepAlive(true)
        setIdle(ACTIVE)
      }}
      onLeave={() => end('left')}
    />
  )
}
