import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type Idle, idleAt } from '#web/identity/session/idle.ts'
import { lastInput, noteInput, watchInput } from '#web/identity/session/last-input.ts'
import { endSession } from '#web/identity/queries.ts'
import { signedOut } from '#web/identity/session/session.ts'
import { meQuery } from '#web/lib/me.ts'
import { useOnDemand } from '#web/lib/on-demand.ts'
import { signInPathFor } from '#web/lib/sign-in-redirect.ts'
import { paths } from '#web/lib/paths.ts'
import { loadInSheet } from '#web/ui/sheet.tsx'

/** Where it does not come there is no warning, and a person is still signed out in time. */
const loadWarning = () => loadInSheet(() => import('#web/identity/session/idle-sheet.tsx'))

const CHECK_EVERY_MS = 1000
/** The bank sees requests alone; who reads or types for long is made known to it this often within the time it allows. */
const REPORTS_PER_LIMIT = 5

const ACTIVE: Idle = { state: 'active' }

/** When the bank was last told of activity, by this device's clock in milliseconds. */
let reportedMs = Date.now()

/** Reports activity to the bank, where there has been any since the last report. */
function useKeepAlive(idleSeconds: number) {
  const queries = useQueryClient()
  return (now: boolean) => {
    const due = Date.now() - reportedMs >= (idleSeconds * 1000) / REPORTS_PER_LIMIT
    if (!now && (!due || lastInput() <= reportedMs)) return
    reportedMs = Date.now()
    // When this fails the next request finds out what there is to know.
    queries.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => {})
  }
}

function useEnd() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const location = useLocation()
  return (reason: 'idle' | 'left') => {
    // Where the bank cannot be reached the session ends there by itself, at the same time.
    endSession().catch(() => {})
    void navigate(reason === 'left' ? paths.login : signInPathFor(location), { replace: true, state: { reason } })
    signedOut(queries, reason)
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
  // Once warned, a person says so by a button: a hand that brushes the table is no answer.
  const isActive = useEffectEvent(() => idle.state === 'active')

  useEffect(() => {
    noteInput()
    const timer = setInterval(check, CHECK_EVERY_MS)
    const stop = watchInput(isActive)
    // A device that slept finds out as it wakes, before it shows anything.
    document.addEventListener('visibilitychange', check)
    return () => {
      clearInterval(timer)
      stop()
      document.removeEventListener('visibilitychange', check)
    }
  }, [])

  const warning = useOnDemand(loadWarning, idle.state === 'warned')
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
