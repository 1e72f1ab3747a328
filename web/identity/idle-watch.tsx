import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type Idle, idleAt } from '#web/identity/idle.ts'
import type { IdleSheetProps } from '#web/identity/idle-sheet.tsx'
import { lastInput, noteInput, watchInput } from '#web/identity/last-input.ts'
import { endSession } from '#web/identity/requests.ts'
import { signedOut } from '#web/identity/session.ts'
import { meQuery } from '#web/lib/me.ts'
import { signInFor } from '#web/lib/next.ts'
import { paths } from '#web/lib/paths.ts'

const IdleSheet = lazy<ComponentType<IdleSheetProps>>(() =>
  import('#web/identity/idle-sheet.tsx').then(
    (loaded) => ({ default: loaded.IdleSheet }),
    // Without the warning a person is still signed out in time.
    () => ({ default: () => null }),
  ),
)

const LOOK_EVERY_MS = 1000
/** The bank sees requests alone; who reads or types for long is made known to it this often within the time it allows. */
const TOLD_TIMES = 5

const HERE: Idle = { state: 'here' }

/** When the bank last knew that somebody is here, by this device's clock in milliseconds. */
let toldMs = Date.now()

/** Signs out whoever has left their device, after a warning; where the bank does not end idle sessions, it does nothing. */
export function IdleWatch() {
  const idleSeconds = useQuery(meQuery).data?.idleSeconds ?? null
  return idleSeconds === null ? null : <Watch idleSeconds={idleSeconds} />
}

/** Tells the bank that somebody is here, when they have done something since it last knew. */
function useSignsOfLife(idleSeconds: number) {
  const queries = useQueryClient()
  return (now: boolean) => {
    const due = Date.now() - toldMs >= (idleSeconds * 1000) / TOLD_TIMES
    if (!now && (!due || lastInput() <= toldMs)) return
    toldMs = Date.now()
    // When this fails the next request finds out what there is to know.
    queries.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => {})
  }
}

function useEnd() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const location = useLocation()
  return (because: 'idle' | 'left') => {
    // Where the bank cannot be reached the session ends there by itself, at the same time.
    endSession().catch(() => {})
    void navigate(because === 'left' ? paths.login : signInFor(location), { replace: true, state: { because } })
    signedOut(queries, because)
  }
}

function Watch({ idleSeconds }: { idleSeconds: number }) {
  const [idle, setIdle] = useState(HERE)
  const end = useEnd()
  const tellBank = useSignsOfLife(idleSeconds)

  const look = useEffectEvent(() => {
    const next = idleAt(Date.now(), lastInput(), idleSeconds)
    if (next.state === 'gone') return end('idle')
    if (next.state === 'here') tellBank(false)
    setIdle(next.state === 'here' ? HERE : next)
  })
  // Once warned, a person says so by a button: a hand that brushes the table is no answer.
  const isHere = useEffectEvent(() => idle.state === 'here')

  useEffect(() => {
    noteInput()
    const timer = setInterval(look, LOOK_EVERY_MS)
    const stop = watchInput(isHere)
    // A device that slept finds out as it wakes, before it shows anything.
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      stop()
      document.removeEventListener('visibilitychange', look)
    }
  }, [])

  if (idle.state !== 'warned') return null
  return (
    <Suspense>
      <IdleSheet
        secondsLeft={idle.secondsLeft}
        onStay={() => {
          noteInput()
          tellBank(true)
          setIdle(HERE)
        }}
        onLeave={() => end('left')}
      />
    </Suspense>
  )
}
